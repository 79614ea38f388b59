"""onnxruntime sessions: few threads, the same result from run to run."""

import os
from pathlib import Path

import onnxruntime as ort


def open_session(path: Path) -> ort.InferenceSession:
    """Open an ONNX file on the processor."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = max(
        1, min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    )
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # pictures come in many shapes: an arena would keep memory for each
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
