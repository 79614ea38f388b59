"""What `companion doctor` says."""

SENTENCES = {
    "doctor_status_ok": "ok",
    "doctor_status_note": "note",
    "doctor_status_problem": "MEND",
    "doctor_program": "Companion {version}, Python {python}, {system}",
    "doctor_package": "{package} {version}",
    "doctor_package_missing": "{package} is missing or does not start: pip install --force-reinstall {package}",
    "doctor_libgl": "OpenCV does not start without libGL: pip uninstall opencv-python, then "
    "pip install --force-reinstall opencv-python-headless",
    "doctor_no_heif": "Photos in HEIC (iPhone) cannot be read: pip install pi-heif",
    "doctor_weights": "Model {name}, version {version}, is the one that was tested ({sha256})",
    "doctor_model_runs": "The model reads a photo in {milliseconds} ms",
    "doctor_model_fails": "The model does not run on this machine ({reason}): pip install --force-reinstall onnxruntime",
    "doctor_camera": "Camera {name} ({device})",
    "doctor_camera_forbidden": "Camera {name} ({device}) may not be used: sudo usermod -aG video $USER, then log in again",
    "doctor_no_camera": "No webcam found; photos from a phone or from files work all the same",
    "doctor_cameras_unknown": "Webcams are not listed on this system; photos from files work all the same",
    "doctor_space": "{megabytes} MB free for games in {folder}",
    "doctor_little_space": "Only {megabytes} MB free for games in {folder}: make room, or set COMPANION_DATA to another folder",
    "doctor_data_forbidden": "Games cannot be kept in {folder}: set COMPANION_DATA to a folder of your own",
    "doctor_all_well": "All is well.",
    "doctor_problems": "{n} {n:thing needs|things need} mending.",
}
