"""What `companion doctor` says."""

SENTENCES = {
    "doctor_all_well": "All is well.",
    "doctor_problems": "{n} {n:thing needs|things need} your attention.",
}
