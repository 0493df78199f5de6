"""Kept answers: bounded in bytes in memory and on the disk, and never a reason to fail."""

from pathlib import Path

from linkspot.service.answer_cache import KeptAnswers


def test_the_memory_keeps_what_was_asked_for_last() -> None:
    kept = KeptAnswers(3_300, None, 0)
    for key in ("a", "b", "c"):
        kept.put(key, b"x" * 1_000)
    assert kept.get("a")
    kept.put("d", b"x" * 1_000)
    assert [key for key in "abcd" if kept.get(key)] == ["a", "c", "d"]
    kept.put("e", b"x" * 10_000)
    assert kept.memory_used == 0
    assert kept.get("e") is None


def test_the_disk_keeps_answers_over_a_restart_within_its_bound(tmp_path: Path) -> None:
    kept = KeptAnswers(0, tmp_path, 11_000)
    for number in range(20):
        kept.put(str(number), bytes([number]) * 1_000)
    kept.close()
    again = KeptAnswers(100_000, tmp_path, 11_000)
    assert [number for number in range(20) if again.get(str(number))] == list(range(10, 20))
    assert again.get("19") == bytes([19]) * 1_000
    again.put("new", b"x" * 1_000)
    assert KeptAnswers(0, tmp_path, 11_000).get("10") is None


def test_a_disk_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    kept = KeptAnswers(10_000, tmp_path / "file", 10_000)
    kept.put("a", b"x")
    assert kept.get("a") == b"x"
    (tmp_path / "answers.sqlite").write_bytes(b"no database" * 1_000)
    broken = KeptAnswers(10_000, tmp_path, 10_000)
    broken.put("a", b"x")
    assert (broken.get("a"), broken.get("b")) == (b"x", None)
