import inspect
import pydoc
import subprocess
import sys
from operator import attrgetter

import pytest

import linkspot

# Whoever changes a line here changes what users rely on: say so in the CHANGELOG.
PARAMETERS = {
    "load": ("name",),
    "open_index": ("folder",),
    "parse": ("page",),
    "read_page": ("file", "markup=''", "language=''"),
    "suggest": (
        *("page", "target", "ranker='linkspot'", "top=None", "*", "markup=''", "language=''", "index=None"),
        *("anyway=False", "translations=()", "exclude_sections=()"),
    ),
    "suggest_many": (
        *("pages", "targets", "ranker='linkspot'", "top=None", "*", "all_pairs=False", "markup=''", "language=''"),
        *("index=None", "anyway=False", "exclude_sections=()"),
    ),
    "Entity": ("title", "lead=''", "mentions=()", "id=''", "url=''", "precedents=()", "lead_language=''"),
    "Page": ("title", "text", "markup", "language", "id=''", "entity=''", "redirect=''", "redirects=()"),
    "Index": ("folder",),
    "Answer.edited": ("self", "place=1", "text=''"),
    "Answer.diff": ("self", "place=1", "text=''", "path=''"),
}
MEMBERS = {
    "Action": ("ADD_SENTENCE", "ADD_TO_SENTENCE", "LINK_WORDS"),
    "Answer": ("diff", "edited", "to_dict", "to_html"),
    "Answers": ("to_arrow", "to_pandas"),
    "Article": ("lead", "major_sections", "sentences"),
    "Entity": ("names",),
    "Index": (
        *("entities", "entities_of", "entity", "find", "languages", "languages_apart", "located_entities", "location"),
        *("location_of_file", "locations", "note", "page", "sampled_links"),
    ),
    "LinkspotError": (),
    "Markup": ("HTML", "MARKDOWN", "WIKITEXT"),
    "Page": (),
    "Place": ("edit",),
}
FIELDS = {
    "Answer": (
        *("page", "article", "entity", "ranker", "places", "scores", "existing", "notes", "nowhere", "is_nowhere"),
        *("kind", "probabilities", "closed"),
    ),
    "Article": ("title", "language", "sections", "markup", "id"),
    "Place": (*("section", "sentence", "score", "action", "reason", "source", "link", "words", "probability", "text"),),
}


def test_the_public_names_are_pinned() -> None:
    functions = {"load", "open_index", "parse", "read_page", "suggest", "suggest_many"}
    assert set(linkspot.__all__) == functions | set(MEMBERS)
    assert linkspot.__all__ == sorted(linkspot.__all__)


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_parameters_are_pinned(name: str) -> None:
    parameters = inspect.signature(attrgetter(name)(linkspot)).parameters.values()
    written = [
        one.name if one.default is inspect.Parameter.empty else f"{one.name}={one.default!r}" for one in parameters
    ]
    first_keyword = next((i for i, one in enumerate(parameters) if one.kind is one.KEYWORD_ONLY), None)
    if first_keyword is not None:
        written.insert(first_keyword, "*")
    assert tuple(written) == PARAMETERS[name]


@pytest.mark.parametrize("name", sorted(MEMBERS))
def test_members_and_fields_are_pinned(name: str) -> None:
    kind = getattr(linkspot, name)
    fields = tuple(getattr(kind, "__dataclass_fields__", ()))
    members = {member for member in vars(kind) if not member.startswith("_")} - set(fields)
    assert tuple(sorted(members)) == MEMBERS[name]
    assert fields == FIELDS.get(name, fields)


@pytest.mark.parametrize("name", linkspot.__all__)
def test_every_public_name_and_method_has_a_docstring(name: str) -> None:
    thing = getattr(linkspot, name)
    own = inspect.getdoc(thing) or ""
    assert own.endswith((".", "```", '"""'))
    assert not own.startswith(f"{name}(")  # what a dataclass says without one
    for member in MEMBERS.get(name, ()):
        value = inspect.getattr_static(thing, member)
        if not isinstance(value, thing):  # members of an enum are named in its own docstring
            assert inspect.getdoc(value), f"{name}.{member}"


def test_dir_and_help_show_the_public_names() -> None:
    shown = [name for name in dir(linkspot) if not name.startswith("__")]
    assert shown == sorted(linkspot.__all__)
    text = pydoc.plain(pydoc.render_doc(linkspot))
    assert "Rank the places in a page where a link to a target belongs" in text
    for name in linkspot.__all__:
        assert f"class {name}" in text or f"\n    {name}(" in text


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'linkspot' has no attribute 'sugest'"):
        linkspot.sugest  # noqa: B018


def _loaded(program: str) -> set[str]:
    """Return the modules that a program has imported when it ends."""
    command = [sys.executable, "-c", f"import sys\n{program}\nprint(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_linkspot_imports_nothing_else_of_it() -> None:
    assert {name for name in _loaded("import linkspot") if name.startswith("linkspot")} == {"linkspot"}


def test_the_public_names_need_no_library_of_an_extra() -> None:
    loaded = _loaded("import linkspot; [getattr(linkspot, name) for name in dir(linkspot)]")
    assert not loaded & {"pyarrow", "pandas", "duckdb", "ibis", "torch", "transformers", "lxml", "httpx2"}
