import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from random import Random

import py7zr
import pytest

from linkspot.corpora.corpus import open_corpus
from linkspot.corpora.dumps.packed import CUT_OFF, Packed
from linkspot.errors import MissingExtra, UnreadablePage

_CHUNK = 1 << 16
_PEAK = """
import re, sys
from collections import Counter
from pathlib import Path
from linkspot.corpora.dumps.packed import Packed
packed = Packed(Path(sys.argv[1]), Counter())
print(sum(len(chunk) for chunk in iter(lambda: packed.read(1 << 16), b"")))
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def _archive(path: Path, **members: bytes) -> Path:
    with py7zr.SevenZipFile(path, "w", filters=[{"id": py7zr.FILTER_LZMA2, "preset": 0}]) as archive:
        for name, data in members.items():
            archive.writestr(data, name.replace("_", "."))
    return path


def _lines(count: int) -> bytes:
    return b"".join(b"%d is a line of its own: %d\n" % (n, n * 7919 % 10007) for n in range(count))


def _read(path: Path) -> tuple[bytes, Counter[str]]:
    rejects: Counter[str] = Counter()
    packed = Packed(path, rejects)
    try:
        return b"".join(iter(lambda: packed.read(_CHUNK), b"")), rejects
    finally:
        packed.close()


def test_the_bytes_come_out_as_they_went_in(tmp_path: Path) -> None:
    data = _lines(50_000)
    assert _read(_archive(tmp_path / "a.7z", wiki=data)) == (data, {})
    assert _read(_archive(tmp_path / "b.7z", wiki=b"")) == (b"", {})


def test_of_several_files_the_dump_is_read(tmp_path: Path) -> None:
    archive = _archive(tmp_path / "a.7z", images_txt=b"no", wiki_xml=b"<mediawiki/>", titles_txt=b"no")
    assert _read(archive)[0] == b"<mediawiki/>"


def test_an_archive_that_is_cut_off_is_refused_in_one_line(tmp_path: Path) -> None:
    path = _archive(tmp_path / "a.xml.7z", wiki_xml=_lines(5_000))
    data = path.read_bytes()
    for end in (20, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:end])
        with pytest.raises(UnreadablePage, match=r"a\.xml\.7z cannot be unpacked: .*fetch it again") as refusal:
            open_corpus(path)
        assert "\n" not in str(refusal.value)


def test_a_damaged_archive_gives_what_it_has(tmp_path: Path) -> None:
    data = _lines(50_000)
    path = _archive(tmp_path / "a.7z", wiki=data)
    packed = bytearray(path.read_bytes())
    packed[len(packed) // 2] ^= 0xFF
    path.write_bytes(packed)
    found, rejects = _read(path)
    assert 1000 < len(found) <= len(data)
    assert data.startswith(found[:1000])
    assert rejects == {CUT_OFF: 1}


def test_a_reader_who_has_had_enough_leaves_no_thread_behind(tmp_path: Path) -> None:
    archive = _archive(tmp_path / "a.7z", wiki=_lines(300_000))
    before = threading.active_count()
    packed = Packed(archive, Counter())
    assert packed.read(10) == _lines(1)[:10]
    assert 0 < packed.share < 1
    packed.close()
    assert threading.active_count() == before


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell how much memory there was")
def test_a_long_history_is_unpacked_in_little_memory(tmp_path: Path) -> None:
    dice, text = Random(3), _lines(2_000)
    history = b"".join(text + dice.randbytes(300) for _ in range(2_000))  # packed, a three-hundredth
    path = _archive(tmp_path / "a.7z", wiki=history)
    done = subprocess.run([sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True)
    size, kilobytes = map(int, done.stdout.split())
    assert size == len(history) > 100_000_000
    assert kilobytes < 90_000


def test_without_py7zr_the_way_to_get_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _archive(tmp_path / "a.xml.7z", wiki_xml=b"<mediawiki/>")
    monkeypatch.setitem(sys.modules, "py7zr", None)
    with pytest.raises(MissingExtra, match=r"pip install 'linkspot\[7z\]'"):
        open_corpus(path)
