import pytest

from linkspot.corpora.wiki.page_address import PageAddress, apis_of_wiki, host_of, is_address
from linkspot.errors import UnusableInput

WIKIPEDIA = ("https://sw.wikipedia.org/w/api.php", "https://sw.wikipedia.org/api.php")


@pytest.mark.parametrize(
    ("address", "title", "apis"),
    [
        ("https://sw.wikipedia.org/wiki/Mji_Mkongwe", "Mji Mkongwe", WIKIPEDIA),
        ("https://sw.wikipedia.org/wiki/Mji_Mkongwe?action=edit#Historia", "Mji Mkongwe", WIKIPEDIA),
        ("https://sw.wikipedia.org/w/index.php?title=Mji_Mkongwe&oldid=5", "Mji Mkongwe", WIKIPEDIA[:1]),
        ("https://sw.wikipedia.org/w/index.php?title=100%2525", "100%25", WIKIPEDIA[:1]),
        ("http://127.0.0.1:80/index.php/A/B%3F", "A/B?", ("http://127.0.0.1:80/api.php",)),
        ("HTTP://wiki.example/mw/index.php/%E7%B7%91", "緑", ("http://wiki.example/mw/api.php",)),
        (
            "https://ann:secret@w.example/en/wiki/Dog",
            "Dog",
            tuple(f"https://ann:secret@w.example{p}/api.php" for p in ("/w", "")),
        ),
    ],
)
def test_an_address_names_a_page_and_where_the_api_is(address: str, title: str, apis: tuple[str, ...]) -> None:
    assert PageAddress.of(address) == PageAddress(title, apis)


@pytest.mark.parametrize(
    "address",
    [
        *("https://sw.wikipedia.org/", "https://sw.wikipedia.org/wiki/", "https://sw.wikipedia.org/wiki/__"),
        *("https://example.org/blog/dog.html", "https://example.org/index.php", "https://[::1/wiki/Dog"),
        *("https://example.org:x/wiki/Dog", "https:///wiki/Dog", "https://a b/wiki/Dog", "https://ann:pass@h/x"),
    ],
)
def test_other_addresses_are_refused_in_one_line_without_a_password(address: str) -> None:
    with pytest.raises(UnusableInput, match="expected one like https://sw") as refusal:
        PageAddress.of(address)
    assert "pass" not in str(refusal.value)


def test_a_wiki_is_named_by_its_host_or_its_api() -> None:
    assert apis_of_wiki("sw.wikipedia.org") == apis_of_wiki("https://sw.wikipedia.org/") == WIKIPEDIA
    assert apis_of_wiki("http://w.example:8080/mw/api.php") == ("http://w.example:8080/mw/api.php",)
    for wrong in ("", "Swahili Wikipedia", "ftp://w.example", "https://"):
        with pytest.raises(UnusableInput, match="is not a"):
            apis_of_wiki(wrong)


def test_hosts_are_compared_without_passwords_and_case() -> None:
    assert host_of("https://ann:secret@W.example:81/x") == "w.example:81"


def test_a_path_is_not_an_address() -> None:
    assert not is_address("https.md")
    assert not is_address("pages/http:.wiki")
