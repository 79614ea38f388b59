"""Ce que dit `companion doctor`."""

SENTENCES = {
    "doctor_all_well": "Tout va bien.",
    "doctor_problems": "{n} {n:point demande|points demandent} votre attention.",
}
