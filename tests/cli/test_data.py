import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import WIKI, refusal, run
from tests.tree_wiki import write_export

from linkspot.corpora.removal import TEST, part_of


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "linkspot.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    path = tmp_path / "wiki.xml"
    path.write_text(WIKI, encoding="utf-8")
    return path


def test_from_a_dump_to_a_dataset(wiki: Path, tmp_path: Path) -> None:
    made = _run("index", wiki, "--out", tmp_path / "index", "--licence", "CC0", "--jobs", "1")
    assert made.returncode == 0, made.stderr
    assert "2  articles" in made.stdout
    found = _run("insertions", wiki, "--out", tmp_path / "edits", "--show", "5", "--jobs", "1")
    assert found.returncode == 0, found.stderr
    assert "Signal → Train" in found.stdout
    assert "text_present in the lead: sentence 0" in found.stdout
    done = _run("dataset", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "data", "--split", "edits=test")
    assert done.returncode == 0, done.stderr
    assert "1  insertions/test" in done.stdout
    counted = _run("stats", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "statistics")
    assert counted.returncode == 0, counted.stderr
    assert (tmp_path / "statistics" / "scenarios.svg").exists()


def test_pages_without_a_history_become_a_test(tmp_path: Path) -> None:
    words = "Dhows sail on the [[Ocean]]. They wait for the [[Monsoon]]. Some go to [[Zanzibar]]. All return."
    tested, other = (
        next(f"Dhow {n}" for n in range(99) if (part_of(f"Dhow {n}") == TEST) is it) for it in (True, False)
    )
    wiki = write_export(tmp_path / "wiki.xml", {title: [("2010-01-01T00:00:00Z", words)] for title in (tested, other)})
    made = _run("removals", wiki, "--out", tmp_path / "removals", "--jobs", "1")
    assert made.returncode == 0, made.stderr
    assert "3  insertions" in made.stdout
    _run("index", wiki, "--out", tmp_path / "index", "--jobs", "1")
    done = _run(
        *("dataset", tmp_path / "index", tmp_path / "removals", "--out", tmp_path / "data"),
        *("--split", "removals=test", "--by-page", "index"),
    )
    assert done.returncode == 0, done.stderr
    assert "3  insertions/test" in done.stdout


def test_a_second_run_tells_the_same_at_once(wiki: Path, tmp_path: Path) -> None:
    first, second = (_run("index", wiki, "--out", tmp_path / "index", "--jobs", "1") for _ in range(2))
    assert first.stdout == second.stdout


def test_suggest_takes_the_target_from_an_index(wiki: Path, tmp_path: Path) -> None:
    _run("index", wiki, "--out", tmp_path / "index", "--jobs", "1")
    page = tmp_path / "Depot.wiki"
    page.write_text("Here trains sleep. Nothing runs on rails.", encoding="utf-8")
    answer = _run(
        "suggest", page, "--lang", "en", "--title", "train", "--index", tmp_path / "index", "--format", "json"
    )
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout)
    assert (told["target"]["title"], told["target"]["mentions"]) == ("Train", ["trains"])
    assert told["ranker"] == "linkspot"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index", "nothing.xml", "--out", "o"], "nothing.xml does not exist"),
        (["index", "{wiki}", "--out", "{out}", "--at", "May"], "'May' is not a date; write it like 2012-12-31"),
        (
            ["index", "{wiki}", "--out", "{out}", "--kind", "zip"],
            "no kind of corpus is called 'zip'; there are: mediawiki-xml",
        ),
        (["insertions", "{wiki}", "--out", "{out}", "--survive", "most"], "'most' does not say in how many"),
        (["insertions", "{wiki}", "--out", "{out}", "--from", "x"], "'x' is not a date"),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--protocol", "x"],
            "'x' is not a protocol; there are: strict, paper",
        ),
        (["insertions", "{wiki}", "--out", "{out}", "--protocol", "paper"], "--protocol paper compares two snapshots"),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--lift", "x"],
            "'x' is not a rule; there are: survival, max-links",
        ),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--lift", "lead", "--apply", "lead"],
            "the rule lead is both lifted and applied; choose one",
        ),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--survive", "3/5", "--lift", "survival"],
            "--survive 3/5 is for the rule survival, which --lift survival lifts; leave out one of them",
        ),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--max-links", "9", "--lift", "max-links"],
            "--max-links 9 is for the rule max-links, which --lift max-links lifts",
        ),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--snapshots", "2010-13-01", "2012-01-01"],
            "'2010-13-01' is not a snapshot; expected two dates like 2012-12-31, or two folders",
        ),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--snapshots", "2012-01-01", "2010-01-01"],
            "--snapshots 2012-01-01 2010-01-01: the first is not before the second",
        ),
        (
            ["dataset", "{out}", "--out", "{out}2"],
            "holds no tables of linkspot; expected a folder that 'linkspot index' made",
        ),
        (["dataset", "{out}", "--out", "x", "--split", "a=2012"], "'a=2012' does not say when to split"),
        (
            ["index", "{wiki}", "--out", "{out}", "--engine", "spark", "--spark", "fast"],
            "'fast' is not a Spark setting",
        ),
        (["index", "{wiki}", "--out", "{out}", "--lang", "???"], "'???' is not a language code; write it like en, sw"),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--from", "2015-01-01", "--to", "2010-01-01"],
            "--from 2015-01-01 is later than --to 2010-01-01",
        ),
        (["index", "{wiki}", "--out", "{out}", "--entities", "none.tsv"], "none.tsv is not a file; name a table"),
        (["insertions", "{wiki}", "--out", "{out}", "--entities", "{wiki}"], "ends in .xml; expected .tsv, .csv, "),
        (["fetch", "https://x.invalid/w/api.php", "--contact", "a@example.org"], "fetch takes either --out FILE,"),
        (
            ["fetch", "https://x.invalid/w/api.php", "--contact", "a@example.org", "--revisions", "{out}"],
            "--revisions names what to fetch, not where to write it; add --out FILE",
        ),
        (
            [
                *("fetch", "https://x.invalid/w/api.php", "--contact", "a@example.org"),
                *("--revisions", "{out}", "--out", "{out}.ndjson"),
            ],
            "expected a folder that 'linkspot insertions' made",
        ),
        (["stats", "{out}"], "holds no tables of linkspot"),
        (
            ["suggest", "{wiki}", "--markup", "wikitext", "--lang", "en", "--index", "{out}"],
            "an index is asked by --title",
        ),
    ],
)
def test_bad_input_gets_one_line(arguments: list[str], message: str, wiki: Path, tmp_path: Path) -> None:
    filled = [argument.format(wiki=wiki, out=tmp_path / "out") for argument in arguments]
    run = _run(*filled)
    assert run.returncode == 1
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1, run.stderr


def test_the_paper_s_protocol_takes_two_dates_and_is_in_the_data_card(wiki: Path, tmp_path: Path) -> None:
    paper = ("--protocol", "paper", "--snapshots", "2011-01-01", "2013-01-01")
    found = run("insertions", wiki, "--out", tmp_path / "edits", *paper, "--jobs", "1")
    assert "1  insertions" in found.stdout, found.stderr
    manifest = json.loads((tmp_path / "edits" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["plan"]["rules"]["protocol"] == "paper"
    run("index", wiki, "--out", tmp_path / "index", "--jobs", "1")
    run("dataset", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "data", "--split", "edits=test")
    card = (tmp_path / "data" / "README.md").read_text(encoding="utf-8")
    assert "| edits | paper | max-links | lifted | 0 |" in card
    assert "| edits | paper | lead | applied | 0 |" in card


def test_a_rule_that_leaves_most_links_out_is_named_and_can_be_lifted_alone(wiki: Path, tmp_path: Path) -> None:
    text = WIKI.replace("It shines.</text></revision>\n</page>", "[[Train]] It shines.</text></revision>\n</page>")
    many = "<text>A signal keeps [[train]]s apart. [[Red]] [[Green]] [[Blue]] It shines."
    wiki.write_text(text.replace("<text>A signal keeps [[train]]s apart. [[Train]] It shines.", many), encoding="utf-8")
    strict = run("insertions", wiki, "--out", tmp_path / "strict", "--jobs", "1", "--max-links", "2")
    assert "4 of 4 added links fall to one rule, max-links; to keep them: --lift max-links" in strict.stdout
    lifted = run("insertions", wiki, "--out", tmp_path / "lifted", "--jobs", "1", "--lift", "max-links")
    assert "1  insertions" in lifted.stdout
    assert "fall to one rule" not in lifted.stdout


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of pages, which has no history."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "signal.md").write_text(
        "---\nlang: en\n---\n\nA signal keeps [trains](train.md) apart.", encoding="utf-8"
    )
    (folder / "train.md").write_text("---\nlang: en\n---\n\nA train runs on rails.", encoding="utf-8")
    return folder


def test_a_corpus_without_history_is_called_one_and_leaves_no_folder(site: Path, tmp_path: Path) -> None:
    message = refusal("insertions", site, "--out", tmp_path / "edits", "--jobs", "1")
    assert f"{site} has no history: every page has one revision" in message
    assert "expected a dump with all revisions (pages-meta-history) or a git repository" in message
    assert not (tmp_path / "edits").exists()


def test_a_history_without_added_links_is_no_error(wiki: Path, tmp_path: Path) -> None:
    done = run("insertions", wiki, "--out", tmp_path / "edits", "--jobs", "1", "--from", "2020-01-01")
    assert done.returncode == 0, done.stderr
    assert "0  insertions" in done.stdout


def test_an_index_without_articles_leaves_no_folder(tmp_path: Path) -> None:
    dump = tmp_path / "empty.xml"
    dump.write_text('<mediawiki xml:lang="en"></mediawiki>', encoding="utf-8")
    assert "empty.xml holds no pages; expected" in refusal("index", dump, "--out", tmp_path / "index", "--jobs", "1")
    assert not (tmp_path / "index").exists()


def test_an_evaluation_that_cannot_begin_leaves_no_folder(wiki: Path, tmp_path: Path) -> None:
    for words in (
        ["index", wiki, "--out", tmp_path / "index"],
        ["insertions", wiki, "--out", tmp_path / "edits"],
        ["dataset", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "data", "--split", "edits=test"],
    ):
        assert run(*words, "--jobs", "1").returncode == 0
    message = refusal("evaluate", tmp_path / "data", "--ranker", "nonsense", "--out", tmp_path / "results")
    assert "no ranker is called 'nonsense'" in message
    assert "'=bm25' is not a ranker with a label" in refusal(
        "evaluate", tmp_path / "data", "--ranker", "=bm25", "--out", tmp_path / "results"
    )
    assert not (tmp_path / "results").exists()
    folders = ("dataset", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "other")
    for option in ("--languages", "--hold-out"):
        assert "no folder has pages in 'xx'; there are: en" in refusal(*folders, option, "en,xx", "--jobs", "1")
    assert not (tmp_path / "other").exists()


def test_languages_are_joined_by_a_table_of_ids_and_else_a_note_says_that_they_are_not(
    wiki: Path, tmp_path: Path
) -> None:
    german = tmp_path / "german.xml"
    german.write_text(WIKI.replace('xml:lang="en"', 'xml:lang="de"'), encoding="utf-8")
    apart = run("index", wiki, german, "--out", tmp_path / "apart", "--jobs", "1")
    assert "Pages in de, en are known by their titles alone" in " ".join(apart.stdout.split())
    table = tmp_path / "ids.jsonl"
    rows = [
        {"title": title, "id": title.lower(), "language": tag} for title in ("Train", "Signal") for tag in ("en", "de")
    ]
    table.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    joined = run("index", wiki, german, "--out", tmp_path / "joined", "--jobs", "1", "--entities", table)
    assert (joined.returncode, joined.stderr) == (0, "")
    assert "titles alone" not in joined.stdout
    manifest = json.loads((tmp_path / "joined" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["identities"]["de"] == {"given": 2}
    edits = run("insertions", wiki, german, "--out", tmp_path / "edits", "--jobs", "1", "--entities", table)
    assert (edits.returncode, edits.stderr) == (0, "")
