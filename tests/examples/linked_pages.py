"""Pages made to remove context from: numbered sentences, each with a link of its own."""

from collections.abc import Sequence
from functools import cache
from random import Random

from hypothesis import strategies as st

from linkspot.examples.context_removal import ContextRemoval
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.removal_spots import Removal
from linkspot.records import Article, Entity, Link, Markup, Section, Sentence
from linkspot.source_map import Span

NOWHERE = Span(0, 0)
ALWAYS = {
    removal: ContextRemoval(**{**dict.fromkeys(Removal, 0.0), removal: 1.0})  # type: ignore[arg-type]
    for removal in Removal
}


def linked_page(lengths: Sequence[int], at: int, *, joint: str = " ", mention: str = "zebra") -> LinkedExample:
    """A page whose sections have so many sentences, each with its number and a link, the one at `at` to the target."""
    number, sections = 0, []
    for length in lengths:
        text, sentences, links = "", [], []
        for _ in range(length):
            word = mention if number == at else f"word{number}"
            own = f"Number {number} has {word} and more."
            text += joint if text else ""
            sentences.append(Sentence(own, len(text), len(text) + len(own), NOWHERE))
            start = len(text) + own.index(word)
            if number != at:
                links.append(Link(f"T{number}", word, start, start + len(word), NOWHERE))
            text += own
            number += 1
        sections.append(Section("", 2, text, tuple(sentences), tuple(links)))
    article = Article("Numbers", "en", tuple(sections), Markup.WIKITEXT)
    _, sentence = article.sentences[at]
    start = sentence.start + sentence.text.index(mention)
    return LinkedExample(Entity("Zebra"), article, at, Span(start, start + len(mention)))


@cache
def even_page(sections: int, length: int, at: int) -> LinkedExample:
    """A page whose sections are equally long, made once."""
    return linked_page([length] * sections, at)


@st.composite
def linked_pages(draw: st.DrawFn) -> LinkedExample:
    lengths = draw(st.lists(st.integers(1, 12), min_size=1, max_size=4))
    return linked_page(lengths, draw(st.integers(0, sum(lengths) - 1)), joint=draw(st.sampled_from([" ", "\n", ""])))


seeds = st.integers(0, 10_000).map(Random)
