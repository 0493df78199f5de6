import json
from pathlib import Path

import pytest

from linkspot.corpora.dumps.enterprise_html import EnterpriseDump
from linkspot.corpora.dumps.mediawiki_xml import MediaWikiDump
from linkspot.corpora.wiki_languages import language_of_code, language_of_wiki
from linkspot.links.titles import TitleRules
from linkspot.parsing import is_language_tag, parse
from linkspot.records import Entity, Markup, Page
from linkspot.text.content_words import content_words
from linkspot.text.inflections import are_forms
from linkspot.text.mentions import MentionFinder
from linkspot.text.sentences import split

# The database's name, what the wiki says of itself, and what linkspot calls its language.
WIKIS = [
    ("simplewiki", "en", "simple"),
    ("simplewiktionary", "en", "simple"),
    ("nowiki", "nb", "no"),
    ("alswiki", "gsw", "gsw"),
    ("bat_smgwiki", "sgs", "sgs"),
    ("be_x_oldwiki", "be-tarask", "be-tarask"),
    ("fiu_vrowiki", "vro", "vro"),
    ("roa_rupwiki", "rup", "rup"),
    ("roa_tarawiki", "roa-tara", "roa-tara"),
    ("zh_classicalwiki", "lzh", "lzh"),
    ("zh_min_nanwiki", "nan", "nan"),
    ("zh_yuewiki", "yue", "yue"),
    ("crhwiki", "crh-latn", "crh"),
    ("map_bmswiki", "map-bms", "map-bms"),
    ("cbk_zamwiki", "cbk-zam", "cbk-zam"),
    ("nds_nlwiki", "nds-nl", "nds-nl"),
    ("emlwiki", "eml", "eml"),
    ("enwiki", "en", "en"),
    ("testwiki", "ru", "ru"),
]


@pytest.mark.parametrize(("database", "said", "language"), WIKIS)
def test_a_wiki_has_one_name_for_its_language_however_it_is_kept(
    database: str, said: str, language: str, tmp_path: Path
) -> None:
    page = "<page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id><text>A b.</text></revision></page>"
    site = f"<siteinfo><sitename>Wikipedia</sitename><dbname>{database}</dbname><case>first-letter</case></siteinfo>"
    export = tmp_path / "a.xml"
    export.write_text(f'<mediawiki xml:lang="{said}">{site}{page}</mediawiki>', encoding="utf-8")
    assert [revision.page.language for revision in MediaWikiDump(export).revisions()] == [language]
    assert [revision.page.language for revision in MediaWikiDump(export, "sw").revisions()] == ["sw"]

    line = {"name": "A", "article_body": {"html": "<p>A b.</p>"}, "is_part_of": {"identifier": database}}
    lines = tmp_path / "a.ndjson"
    lines.write_text(json.dumps({**line, "in_language": {"identifier": said}}), encoding="utf-8")
    assert [revision.page.language for revision in EnterpriseDump(lines).revisions()] == [language]


@pytest.mark.parametrize("language", [language for _, _, language in WIKIS])
def test_pages_in_every_such_language_are_read(language: str) -> None:
    assert is_language_tag(language)
    assert parse(Page("A", "It is [[b]]. So.", Markup.WIKITEXT, language)).language == language


@pytest.mark.parametrize(
    ("database", "said", "language"),
    [
        ("nowiki", "en", "en"),  # somebody's own wiki
        ("simplewiki", "de", "de"),
        ("swwiki", "", "sw"),
        ("zh_yuewiki", "", "yue"),
        ("simplewiki", "", "simple"),
        ("commonswiki", "", ""),
        ("tenwiki", "", ""),
        ("", "fr", "fr"),
    ],
)
def test_a_wiki_of_another_language_is_believed_and_one_that_is_silent_is_named_by_its_database(
    database: str, said: str, language: str
) -> None:
    assert language_of_wiki(database, said) == language


@pytest.mark.parametrize(
    ("code", "language"),
    [("zh-yue", "yue"), ("nb", "no"), ("no", "no"), ("be-x-old", "be-tarask"), ("simple", "simple"), ("de", "de")],
)
def test_language_links_name_the_same_languages(code: str, language: str) -> None:
    assert language_of_code(code) == language


def test_simple_english_is_english_to_all_that_reads_words() -> None:
    text = "Mr. Smith has dogs, e.g. terriers. The end."
    assert split(text, "simple") == split(text, "en")
    words = "the dogs which were there have been barking"
    assert content_words(words, "simple") == content_words(words, "en") == ["dogs", "barking"]
    assert are_forms("city", "cities", "simple")
    assert list(MentionFinder(["city"], "simple").find("Two cities.")) == list(
        MentionFinder(["city"], "en").find("Two cities.")
    )


def test_norwegian_is_the_same_language_by_both_of_its_codes() -> None:
    words = "hunden som ikke hadde vært der"
    assert content_words(words, "nb") == content_words(words, "no") != words.split()
    link = "Han bor i [[by]]ær."
    texts = [parse(Page("A", link, Markup.WIKITEXT, tag)).sections[0].links[0].mention for tag in ("nb", "no")]
    assert texts == ["byær", "byær"]


@pytest.mark.parametrize(("language", "host"), [("gsw", "als"), ("no", "no"), ("simple", "simple"), ("yue", "zh-yue")])
def test_an_address_of_a_languages_own_wikipedia_is_a_title(language: str, host: str) -> None:
    assert TitleRules(language).leads_to(f"https://{host}.wikipedia.org/wiki/Dog", Entity("Dog"))
