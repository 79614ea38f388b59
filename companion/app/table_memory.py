"""What the server remembers of one game's table beside the log, for as long as it runs."""

from dataclasses import dataclass, field

from companion.app.following import Following
from companion.app.scan_queue import Scan
from companion.app.table_intake import TableProposal


@dataclass
class TableMemory:
    """What is kept of one game's table beside the log."""

    following: Following = field(default_factory=Following)
    """What the photos that were accepted have taught."""
    scan: Scan | None = None
    """The photo that is being read or looked at."""
    meant: tuple[Scan, int, TableProposal] | None = None
    """What it means, and for which line of the log that was found out."""
