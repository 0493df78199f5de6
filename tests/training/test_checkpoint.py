from pathlib import Path

import pytest
import torch

from linkspot.errors import UnusableInput
from linkspot.training.checkpoint import Checkpoint, read_checkpoint

PLAN = {"seed": 0, "stage": [{"name": "one", "training_examples": "insertions"}], "distillation": {"layers": [0]}}


def test_a_checkpoint_of_an_earlier_version_is_known_by_its_old_names(tmp_path: Path) -> None:
    old = {"seed": 0, "stage": [{"name": "one", "material": "insertions"}], "distil": {"layers": [0]}}
    Checkpoint(old, 1, 7, {"weight": torch.ones(2)}).save(tmp_path)
    checkpoint = read_checkpoint(tmp_path, PLAN)
    assert checkpoint is not None
    assert (checkpoint.stage, checkpoint.step) == (1, 7)
    with pytest.raises(UnusableInput, match=r"another recipe \(seed, stage differ\); continue with that one"):
        read_checkpoint(tmp_path, {**PLAN, "seed": 1, "stage": []})


def test_a_checkpoint_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert read_checkpoint(tmp_path, PLAN) is None
    (tmp_path / "checkpoint.pt").write_bytes(b"nothing of the kind")
    with pytest.raises(UnusableInput, match=r"checkpoint\.pt cannot be read .*; delete the folder and train again"):
        read_checkpoint(tmp_path, PLAN)
