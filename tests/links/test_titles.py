import lzma
import re
import tarfile
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linkspot.links.titles import Title, TitleRules
from linkspot.parsing.namespaces import Namespace
from linkspot.records import Entity

ENGLISH = TitleRules("en")
DOCS = TitleRules("en", capitalise_first=False)

# What links are made of, so that arbitrary text meets escapes, addresses, namespaces and fragments.
PIECES = [
    "%",
    "%25",
    "41",
    "%C3%A9",
    "%E2%80%8E",
    "#",
    "?",
    ":",
    "/",
    "./",
    "../",
    "/wiki/",
    "//",
    "https://",
    "en.wikipedia.org",
    "index",
    ".htm",
    ".md",
    "_",
    " ",
    "\u200e",
    "File",
    "category",
    "title=",
    "index.php?",
    "i",
    "ǆ",
    "e\u0301",
    "İ",
    "\ud800",
]
LINKS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("language", "written", "title"),
    [
        ("en", "dog", "Dog"),
        ("tr", "istanbul", "İstanbul"),
        ("tr", "ısparta", "Isparta"),
        ("az", "idman", "İdman"),
        ("tr-TR", "izmir", "İzmir"),
        ("en", "istanbul", "Istanbul"),
        ("hr", "ǆep", "ǅep"),
        ("de", "ßtest", "ßtest"),
        ("af", "ŉ boek", "ŉ boek"),
        ("ka", "ვიკიპედია", "ვიკიპედია"),
        ("el", "αθήνα", "Αθήνα"),
        ("ru", "москва", "Москва"),
        ("ja", "東京", "東京"),
        ("en", "ⅳ", "ⅳ"),
        ("nl", "ijsland", "Ijsland"),
    ],
)
def test_the_first_letter_follows_the_language(language: str, written: str, title: str) -> None:
    assert TitleRules(language).normalise(written) == Title(title)


def test_a_case_sensitive_wiki_keeps_the_first_letter() -> None:
    assert TitleRules("en", capitalise_first=False).normalise("en/Manual/Signals") == Title("en/Manual/Signals")


@pytest.mark.parametrize(
    "written",
    [
        "Gray_wolf",
        "Gray wolf",
        " gray__wolf_",
        "Gray\xa0wolf",
        "Gray%20wolf",
        "Gray%5Fwolf",
        "Gray%2520wolf",
        "\u200eGray wolf\u200f",
        ":gray wolf",
        "./Gray_wolf",
        "/wiki/Gray_wolf",
        "//en.wikipedia.org/wiki/Gray_wolf",
        "https://en.wikipedia.org/wiki/Gray_wolf",
        "https://en.m.wikipedia.org/wiki/Gray_wolf?oldid=7",
        "/w/index.php?title=Gray_wolf&action=edit&redlink=1",
        "/w/index.php?action=edit&title=Gray+wolf",
        "./Gray_wolf?action=edit&redlink=1",
        "../../wp/g/Gray_wolf.htm",
        "../../wp/g/Gray_wolf.htm ",
        "Gray_wolf.html",
        "gray wolf.md",
        "../animals/gray_wolf/index.md",
        "gray wolf/",
        "Gray\nwolf\x00",
    ],
)
def test_one_page_has_one_title_however_its_link_is_written(written: str) -> None:
    assert ENGLISH.normalise(written) == Title("Gray wolf")


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("./AC/DC", "AC/DC"),
        ("/wiki/AC/DC", "AC/DC"),
        ("../../wp/a/AC%252FDC.htm", "AC/DC"),
        ("../../wp/p/People%2527s_Republic_of_China.htm", "People's Republic of China"),
        ("../../wp/c/C%25C3%25B4te_d%2527Ivoire.htm", "Côte d'Ivoire"),
        ("./Who_Dares_Wins%3F", "Who Dares Wins?"),
        ("Who Dares Wins?", "Who Dares Wins?"),
        ("...And Justice for All", "...And Justice for All"),
        ("100% proof", "100% proof"),
        ("%zz", "%zz"),
        ("Caf%E9", "Caf%E9"),
        ("cafe\u0301", "Café"),
        ("Alien: Covenant", "Alien: Covenant"),
        ("Node.js", "Node.js"),
        (".md", ".md"),
        ("/en-US/docs/Web/API/Window", "Web/API/Window"),
        ("docs/_index.md", "Docs"),
    ],
)
def test_what_belongs_to_a_title_stays(written: str, title: str) -> None:
    assert ENGLISH.normalise(written) == Title(title)


def test_fragments_are_kept_apart_from_the_page() -> None:
    assert ENGLISH.normalise("dog#Senses_of_dogs") == Title("Dog", fragment="Senses of dogs")
    assert ENGLISH.normalise("/wiki/Dog#a/b?c") == Title("Dog", fragment="a/b?c")
    assert ENGLISH.normalise("A#Foo") != ENGLISH.normalise("A#Bar")
    assert ENGLISH.normalise("A#Foo").page == ENGLISH.normalise("A#Bar").page


def test_only_a_fragment_is_the_page_itself() -> None:
    assert ENGLISH.normalise("#History") == Title("", fragment="History")


def test_namespaces_are_split_off_by_their_english_name() -> None:
    german = TitleRules("de")
    assert german.normalise("Bild:hund.jpg") == german.normalise("file:Hund.jpg") == Title("Hund.jpg", "File")
    assert german.normalise(":Kategorie:hunde") == Title("Hunde", "Category")
    assert str(german.normalise("Hilfe: suche#Wie")) == "Help:Suche#Wie"


def test_a_wikis_own_namespace_is_split_off_too() -> None:
    openttd = TitleRules("de", capitalise_first=False, namespaces={"Translation": Namespace.HIDDEN})
    assert openttd.normalise("Translation:en/Manual") == Title("en/Manual", "Translation")


def test_an_address_of_another_site_is_no_title_of_this_one() -> None:
    french = ENGLISH.normalise("https://fr.wikipedia.org/wiki/Chien")
    assert french.is_foreign
    assert french == ENGLISH.normalise("//fr.wikipedia.org/wiki/Chien/")
    assert TitleRules("fr").normalise("https://fr.wikipedia.org/wiki/Chien") == Title("Chien")


def test_site_and_link_base_are_settings() -> None:
    rules = TitleRules("de", capitalise_first=False, site="wiki.example.org", link_base="/handbuch/")
    assert rules.normalise("https://wiki.example.org/handbuch/Signale") == Title("Signale")
    assert rules.normalise("/handbuch/Signale/Block") == Title("Signale/Block")
    assert rules.normalise("https://de.wikipedia.org/wiki/Signale").is_foreign


@pytest.mark.parametrize(
    "bad", ["", " ", "_", "/", "//", "https://", "..", "\x00\x01", "%", "%00", "\ud800", "::", "?title=", "#", "#%23"]
)
def test_bad_targets_have_a_title_without_content_or_as_they_are(bad: str) -> None:
    title = ENGLISH.normalise(bad)
    assert len(str(title)) <= max(2, len(bad))
    str(title).encode()


@pytest.mark.parametrize("piece", ["%25", "/:", ".md", "/index.php?title=", "%", "é ", "a/", "%%34", ":#", "%C3"])
def test_a_title_of_100_kilobytes_is_cut(piece: str) -> None:
    title = ENGLISH.normalise("x" + piece * (100_000 // len(piece)))
    assert len(str(title)) < 10_000
    assert ENGLISH.normalise(str(title)) == title


@given(LINKS, st.sampled_from([ENGLISH, DOCS, TitleRules("tr"), TitleRules("de", link_base="/a/", site="b")]))
@example("%4\u200e1", ENGLISH)
@example("%%341", ENGLISH)
@example("a%252Fb%2Ehtm", ENGLISH)
@example("ı\u0307", TitleRules("tr"))
def test_normalising_twice_changes_nothing(raw: str, rules: TitleRules) -> None:
    title = rules.normalise(raw)
    assert rules.normalise(str(title)) == title


@given(st.text())
def test_any_text_can_be_normalised(raw: str) -> None:
    title = ENGLISH.normalise(raw)
    assert ENGLISH.normalise(str(title)) == title


@given(LINKS)
def test_underscores_and_spaces_are_one(raw: str) -> None:
    assert ENGLISH.normalise(raw.replace(" ", "_")) == ENGLISH.normalise(raw.replace("_", " "))


@given(
    st.text(st.characters(exclude_characters="%", exclude_categories=["Cs"])).filter(
        lambda text: not re.match(r"\W*[./]|https?:", text)
    )
)
def test_an_escaped_title_is_the_same_title(title: str) -> None:
    assert ENGLISH.normalise(quote(title)) == ENGLISH.normalise(title)
    assert ENGLISH.normalise(quote(quote(title, safe=""), safe="")) == ENGLISH.normalise(title)


WINDOW = Entity("Window", id="Web/API/Window")


@pytest.mark.parametrize(
    "link",
    [
        "/en-US/docs/Web/API/Window",
        "/en-US/docs/Web/API/Window#methods",
        "/en-us/docs/web/api/window/",
        "/fr/docs/Web/API/Window",
        "Web/API/Window",
        "../window/index.md",
        "../../web/api/window/index.md",
        "./Window",
        "Window",
    ],
)
def test_a_link_leads_to_a_page_by_its_slug(link: str) -> None:
    assert DOCS.leads_to(link, WINDOW)


@pytest.mark.parametrize(
    "link",
    [
        "/en-US/docs/Web/API/Window/alert",
        "/en-US/docs/Web/CSS/Window",
        "/en-US/docs/Glossary/Window",
        "../css/window/index.md",
        "API/Window",
        "https://example.org/en-US/docs/Web/API/Window",
        "#window",
        "",
        "Windows",
    ],
)
def test_a_link_does_not_lead_to_a_page_with_another_slug(link: str) -> None:
    assert not DOCS.leads_to(link, WINDOW)


def test_a_page_may_have_an_address_on_another_site() -> None:
    window = Entity("Window", url="https://developer.mozilla.org/en-US/docs/Web/API/Window")
    assert DOCS.leads_to("http://developer.mozilla.org/en-US/docs/Web/API/Window#methods", window)
    assert DOCS.leads_to("/en-US/docs/Web/API/Window", window)
    assert not DOCS.leads_to("https://developer.mozilla.org/en-US/docs/Web/API/Document", window)


def test_a_file_is_found_by_the_end_of_its_path() -> None:
    install = Entity("Installing the thing", url="docs/guide/install.md")
    assert all(
        DOCS.leads_to(link, install)
        for link in ["install.md", "./install/", "../guide/install.md", "/docs/guide/install", "install.html?v=2"]
    )
    assert not any(
        DOCS.leads_to(link, install)
        for link in ["../api/install.md", "uninstall.md", "../guide/", "guide/install/linux.md"]
    )


def test_escapes_in_a_path_do_not_count() -> None:
    egg = Entity("Egg", url="wp/e/Egg_(food).htm")
    assert ENGLISH.leads_to("../../wp/e/Egg_%2528food%2529.htm", egg)
    assert not ENGLISH.leads_to("../../wp/e/Egg_%2528film%2529.htm", egg)


def test_a_note_is_found_with_or_without_its_folder() -> None:
    note = Entity("Note name", url="folder/Note name.md")
    assert all(
        DOCS.leads_to(link, note) for link in ["Note name", "folder/Note name", "Note%20name.md", "Note name#Heading"]
    )
    assert not any(DOCS.leads_to(link, note) for link in ["other/Note name", "folder", "note"])


def test_the_end_of_a_wikis_title_is_another_title() -> None:
    band = Entity("AC/DC", id="Q27593", url="https://en.wikipedia.org/wiki/AC/DC")
    assert ENGLISH.leads_to("aC/DC", band)
    assert ENGLISH.leads_to("./AC/DC#History", band)
    assert not any(
        ENGLISH.leads_to(link, band) for link in ["DC", "./DC", "AC", "Ac/dc", "Q27593", "fr:AC/DC", "Category:AC/DC"]
    )


def test_a_page_number_is_not_a_title() -> None:
    assert not ENGLISH.leads_to("1984", Entity("Dog", id="1984"))


def test_a_section_is_reached_by_its_own_fragment_alone() -> None:
    section = Entity("Dog#Senses")
    assert ENGLISH.leads_to("dog#Senses", section)
    assert not ENGLISH.leads_to("Dog", section)
    assert ENGLISH.leads_to("Dog#Senses", Entity("Dog"))


@pytest.mark.shared_data
def test_links_of_wikipedia_for_schools_lead_to_its_files(shared_data: Path) -> None:
    titles, links = set(), []
    with tarfile.open(shared_data / "wikipedia" / "wikipedia-for-schools-2007-en.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is None:
                continue
            titles.add(ENGLISH.normalise(member.name))
            if len(links) < 20_000:
                links += re.findall(r'href="([^"]*/wp/[^"]*\.htm[^"]*)"', content.read().decode("utf-8", "replace"))
    found = sum(ENGLISH.normalise(link).page in titles for link in links)
    assert Title("Côte d'Ivoire") in titles
    assert len(links) >= 20_000
    assert found >= 0.99 * len(links)


@pytest.mark.shared_data
def test_links_of_openttds_french_wiki_lead_to_its_pages(shared_data: Path) -> None:
    rules = TitleRules("fr", capitalise_first=False, namespaces={"Translation": Namespace.HIDDEN})
    with lzma.open(shared_data / "openttd" / "openttd-fr-pages-meta-history.xml.xz", "rt", encoding="utf-8") as dump:
        pages = dump.read().split("</page>")
    spellings = [title for page in pages for title in re.findall("<title>([^<]*)</title>", page)]
    titles = {rules.normalise(spelling) for spelling in spellings}
    assert {str(title) for title in titles} == set(spellings)

    newest = [page[page.rfind("<text") :] for page in pages]
    targets = [rules.normalise(link).page for text in newest for link in re.findall(r"\[\[([^\]|\n]+)", text)]
    articles = [target for target in targets if target.text.startswith("fr/") and not target.namespace]
    assert len(articles) > 3000
    assert sum(target in titles for target in articles) > 0.95 * len(articles)  # the others were never written
    assert {target.namespace for target in targets} >= {"File", "Category", "Translation"}
