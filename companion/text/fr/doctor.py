"""Ce que dit `companion doctor`."""

SENTENCES = {
    "doctor_status_ok": "bon",
    "doctor_status_note": "note",
    "doctor_status_problem": "À RÉPARER",
    "doctor_program": "Companion {version}, Python {python}, {system}",
    "doctor_package": "{package} {version}",
    "doctor_package_missing": "{package} manque ou ne démarre pas : pip install --force-reinstall {package}",
    "doctor_libgl": "OpenCV ne démarre pas sans libGL : pip uninstall opencv-python, puis "
    "pip install --force-reinstall opencv-python-headless",
    "doctor_no_heif": "Les photos HEIC (iPhone) ne peuvent pas être lues : pip install pi-heif",
    "doctor_weights": "Le modèle {name}, version {version}, est bien celui qui a été testé ({sha256})",
    "doctor_model_runs": "Le modèle lit une photo en {milliseconds} ms",
    "doctor_model_fails": "Le modèle ne marche pas sur cette machine ({reason}) : pip install --force-reinstall onnxruntime",
    "doctor_camera": "Caméra {name} ({device})",
    "doctor_camera_forbidden": "La caméra {name} ({device}) n’est pas autorisée : sudo usermod -aG video $USER, puis reconnectez-vous",
    "doctor_no_camera": "Aucune webcam trouvée ; les photos d’un téléphone ou de fichiers marchent quand même",
    "doctor_cameras_unknown": "Les webcams ne sont pas listées sur ce système ; les photos de fichiers marchent quand même",
    "doctor_space": "{megabytes} Mo libres pour les parties dans {folder}",
    "doctor_little_space": "Seulement {megabytes} Mo libres pour les parties dans {folder} : faites de la place ou donnez un autre dossier avec COMPANION_DATA",
    "doctor_data_forbidden": "Les parties ne peuvent pas être gardées dans {folder} : donnez un dossier à vous avec COMPANION_DATA",
    "doctor_all_well": "Tout va bien.",
    "doctor_problems": "{n} {n:point est|points sont} à réparer.",
}
