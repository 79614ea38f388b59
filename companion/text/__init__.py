"""Every sentence a person reads, in English, French and Russian."""
