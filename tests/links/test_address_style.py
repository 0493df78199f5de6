"""Styles of addresses are learned from links, and write a further link as the site would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.links.address_style import AddressStyle, ObservedLink, Start
from linkspot.links.locations import Address, Location
from linkspot.links.spelling import Spelling

FOLDERS = ("docs/a", "docs/a/b", "docs/c", "docs/c/d", "blog")
letters = st.sampled_from("abcXYZ019é狼'(),:+_- ")
names = st.text(letters, min_size=1, max_size=6).filter(lambda name: name == name.strip())
spellings = st.builds(
    Spelling,
    escaped=st.sampled_from([frozenset(), frozenset("(),:+'")]),
    raw=st.sampled_from([frozenset(), frozenset("(),:+'")]),
    escapes_letters=st.booleans(),
)
styles = st.one_of(
    st.builds(
        AddressStyle,
        st.just(Start.PREFIX),
        st.sampled_from(["/", "/wiki/", "/en-US/docs/", "https-free/", "../../top/"]),
        has_slash=st.booleans(),
        ending=st.sampled_from(["", ".html"]),
        spelling=spellings,
    ),
    st.builds(AddressStyle, st.just(Start.FILE), ending=st.sampled_from(["", ".md"]), spelling=spellings),
    st.builds(AddressStyle, st.just(Start.PAGE), has_slash=st.just(True), spelling=spellings),
    st.builds(
        AddressStyle,
        st.just(Start.TOP),
        st.sampled_from(["", "wp/"]),
        climb=st.just(1),
        ending=st.just(".htm"),
        spelling=spellings,
    ),
)


@given(styles, st.lists(names, min_size=10, max_size=10, unique_by=str.lower), st.integers(0, 9))
def test_a_style_that_is_learned_from_links_writes_one_more_like_them(
    style: AddressStyle, pages: list[str], held_out: int
) -> None:
    source = Location.of_page("docs/a/Source page", "docs/a/Source page")
    paths = [f"{FOLDERS[number % len(FOLDERS)]}/{name}" for number, name in enumerate(pages)]
    targets = [Location.of_page(path, path) for path in paths]
    links = [ObservedLink(style.write(source, target), source, target) for target in targets]
    wanted = links.pop(held_out)
    learned = AddressStyle.learned_from(links, source, targets[held_out])
    assert learned is not None
    written = learned.write(source, targets[held_out])
    assert Address.of(written).names == Address.of(wanted.address).names
    assert (written.startswith("/"), written.endswith("/")) == (
        style.prefix.startswith("/"),
        wanted.address.endswith("/"),
    )


@given(st.text(max_size=20), names)
def test_whatever_a_pages_links_are_a_style_writes_something_or_nothing(address: str, name: str) -> None:
    target = Location.of_title(name)
    learned = AddressStyle.learned_from([ObservedLink(address)], None, target)
    assert learned is None or isinstance(learned.write(None, target), str)


def _link(address: str, source: str, target: str) -> ObservedLink:
    return ObservedLink(address, Location.of_file(source), Location.of_file(target))


@pytest.mark.parametrize(
    ("links", "target", "address"),
    [
        # The page's own folder stands for an index file, which other addresses leave out.
        ([("../c/", "docs/a/x.md", "docs/c/index.md")], "docs/d/_index.md", "../d/"),
        ([("../c/y.md", "docs/a/x.md", "docs/c/y.md")], "docs/d/README.md", "../d/README.md"),
        ([("../c/y.md", "docs/a/x.md", "docs/c/y.md")], "docs/a/z.mdx", "z.mdx"),
        ([("../c/y.html", "docs/a/x.md", "docs/c/y.md")], "docs/a/z.md", "z.html"),
        ([("./y.md", "docs/a/x.md", "docs/a/y.md")], "docs/a/z.md", "./z.md"),
        ([("./y.md", "docs/a/x.md", "docs/a/y.md")], "docs/b/z.md", "../b/z.md"),
        ([("/a/gray-wolf/", "docs/a/x.md", "docs/a/Gray_Wolf.md")], "docs/a/Red_Fox.md", "/a/red-fox/"),
        ([("y", "a/x.md", "b/y.md"), ("z", "a/x.md", "c/z.md")], "d/w.md", "w"),
        # What most links show, wins.
        (
            [
                ("/docs/c/y", "docs/a/x.md", "docs/c/y.md"),
                ("../c/z.md", "docs/a/x.md", "docs/c/z.md"),
                ("../c/w.md", "docs/a/x.md", "docs/c/w.md"),
            ],
            "docs/d/v.md",
            "../d/v.md",
        ),
        # A style that cannot write the target gives way to one that can.
        (
            [
                ("/y", "site/docs/x.md", "site/docs/y.md"),
                ("/z", "site/docs/x.md", "site/docs/z.md"),
                ("../blog/w.md", "site/docs/x.md", "site/blog/w.md"),
            ],
            "site/blog/v.md",
            "../blog/v.md",
        ),
    ],
)
def test_a_style_writes_what_the_site_would(links: list[tuple[str, str, str]], target: str, address: str) -> None:
    observed = [_link(*link) for link in links]
    location = Location.of_file(target)
    learned = AddressStyle.learned_from(observed, observed[0].source, location)
    assert learned is not None
    assert learned.write(observed[0].source, location) == address


def test_a_page_of_a_folder_is_written_like_other_pages_of_folders() -> None:
    links = [
        _link("/docs/c/", "docs/a/x.md", "docs/c/index.md"),
        *(_link(f"/docs/c/{name}.html", "docs/a/x.md", f"docs/c/{name}.md") for name in "yzw"),
    ]
    for path, address in (("docs/d/index.md", "/docs/d/"), ("docs/d/v.md", "/docs/d/v.html")):
        learned = AddressStyle.learned_from(links, links[0].source, Location.of_file(path))
        assert learned is not None
        assert learned.write(links[0].source, Location.of_file(path)) == address


def test_a_declared_slug_gives_the_capitals_that_the_files_lack() -> None:
    target = Location.of_file("files/en-us/web/api/window/index.md", "Web/API/Window")
    assert target.slug == ("files", "en-us", "Web", "API", "Window")
    assert Location.of_file("posts/2024-01-02-a.md", "b").slug == ("posts", "b")
    assert Location.of_file("cors.md", "Glossary/CORS").slug == ("Glossary", "CORS")


@pytest.mark.parametrize(
    ("address", "names", "ups"),
    [
        ("../../wp/p/A%20b.htm?x=1#y", ("wp", "p", "A b.htm"), 2),
        ("/docs//a/", ("docs", "a"), 0),
        ("./a%2Fb", ("a/b",), 0),
        ("", (), 0),
        ("../", (), 1),
    ],
)
def test_an_address_is_read_name_by_name(address: str, names: tuple[str, ...], ups: int) -> None:
    read = Address.of(address)
    assert (read.names, read.ups) == (names, ups)


@pytest.mark.parametrize(("address", "other_forms"), [("/docs/a", None), ("/docs/a#b", ())])
def test_a_sampled_link_to_a_part_of_a_page_could_have_no_other_form(
    address: str, other_forms: tuple[str, ...] | None
) -> None:
    places = {"source_path": "b", "source_slug": "b", "target_path": "a", "target_slug": "a"}
    assert ObservedLink.of_row({"address": address, "form": "", **places}).other_forms == other_forms
