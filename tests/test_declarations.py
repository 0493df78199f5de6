import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "scripts" / "declarations"
PAGE = """<!doctype html>
<html data-code="x" dir="ltr" lang="{language}">
  <body>
    <h1>A title of all</h1>
    <header><h2>Opening</h2><p>First &amp; foremost.</p></header>
    <article data-number="1"><h2>Article 1</h2>
      <p>All are
        born free.</p><ol><li>One.</li></ol></article>
  </body>
</html>
"""


def declared(tmp_path: Path, *languages: str) -> str:
    for language in languages:
        (tmp_path / f"{language}.html").write_text(PAGE.format(language=language), encoding="utf-8")
    command = [sys.executable, SCRIPT, tmp_path, "ko,ca,pl,zh-tw"]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout


def test_articles_become_passages_with_a_line_for_each_sentence(tmp_path: Path) -> None:
    assert declared(tmp_path, "sw") == "Opening\nFirst & foremost.\n\nArticle 1\nAll are born free.\nOne.\n\n"


def test_languages_that_are_held_out_or_that_the_encoder_does_not_know_are_left_out(tmp_path: Path) -> None:
    assert declared(tmp_path, "ko", "zh-Hant", "tlh") == ""
    assert declared(tmp_path, "zh", "pt-BR").count("Opening") == 2
