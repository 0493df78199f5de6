"""The ranker protocol and the table of rankers: what every way of scoring places has in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from linkspot.errors import UnknownRanker
from linkspot.extras import Extra, require
from linkspot.plugins import PlugIn, plug_ins, resolved
from linkspot.progress import StageProgress
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity

SHIPPED = "linkspot"  # the model that comes with linkspot
DEFAULT_RANKER = SHIPPED
CASCADE, WITHOUT_PRECEDENTS = "cascade", "without-precedents"
GROUP = "linkspot.rankers"  # the entry points of rankers in other packages
_OLD_NAMES = {"alone": WITHOUT_PRECEDENTS}


class Reads(StrEnum):
    """What a ranker reads to score one candidate."""

    TEXTS = "texts"  # a text, compared with the target and with the other candidates' texts
    WINDOWS = "windows"  # a sentence in its context
    PAGES = "pages"  # the whole page


class Ranker(Protocol):
    """Scores every candidate of an article; higher means a better place."""

    @property
    def reads(self) -> Reads:
        """What it reads to score one candidate."""
        ...

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate, in the article's order, and what *nowhere* scores; none is dropped."""
        ...


@runtime_checkable
class SelectiveRanker(Ranker, Protocol):
    """A ranker that can score some candidates without reading the others."""

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
        """Return the scores of the candidates with these numbers, in this order."""
        ...


@runtime_checkable
class WatchedRanker(Ranker, Protocol):
    """A ranker that shows how far it is."""

    def score_watched(self, entity: Entity, article: Article, stage: StageProgress) -> Scores:
        """Return what `score` returns."""
        ...


@runtime_checkable
class LiterateRanker(Ranker, Protocol):
    """A ranker that may not be able to read a script."""

    def unread(self, texts: Sequence[str]) -> float:
        """Return the share of the texts that it cannot read, from 0 to 1."""
        ...


@runtime_checkable
class CompositeRanker(Ranker, Protocol):
    """A ranker made of other rankers."""

    def with_inner(self, change: Callable[[Ranker], Ranker]) -> Ranker:
        """Return the same ranker, with each ranker inside it changed."""
        ...


def score_some(ranker: Ranker, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
    """Return the scores of some candidates; a ranker that cannot select reads the others too."""
    if isinstance(ranker, SelectiveRanker):
        return ranker.score_some(entity, article, numbers)
    return ranker.score(entity, article).some(numbers)


@dataclass(frozen=True, slots=True)
class RankerOptions:
    """What some rankers need besides their names: where a language model answers, and how many calls it may get."""

    base_url: str = ""
    key: str = field(default="", repr=False)
    max_calls: int | None = None
    answers: Path | None = None  # the file that keeps the answers


@dataclass(frozen=True, slots=True)
class RankerEntry:
    """A line of the table: what the ranker does, in one sentence, and its class as `module:Class`.

    `takes` is what users write behind the ranker's name and a colon. `Class()` opens a ranker that takes nothing, and
    `Class.of_argument(argument, options)` one that takes something.
    """

    description: str
    ranker: str
    takes: str = ""
    needs: tuple[str, ...] = ()  # packages of the extra `data`


# Names of classes, so that naming one ranker never imports another's libraries; entry points add to them.
RANKERS: dict[str, RankerEntry] = {
    SHIPPED: RankerEntry(
        "the trained model that comes with linkspot: compares words and meanings in some 100 languages, on a CPU",
        "linkspot.ranking.neural:load_shipped",
    ),
    "random": RankerEntry(
        "draws scores by chance, from a seed: what any other ranker has to beat",
        "linkspot.ranking.chance:RandomRanker",
    ),
    "string-match": RankerEntry(
        "looks for the target's known mentions, first in the sentence, then around it",
        "linkspot.ranking.string_match:StringMatchRanker",
    ),
    "string-match:paper": RankerEntry(
        "whether a known mention stands in the sentence or around it, as the paper's String Match",
        "linkspot.ranking.published_baselines:PublishedStringMatchRanker",
    ),
    "bm25": RankerEntry(
        "compares words: the target's title, mentions and lead against each sentence in context",
        "linkspot.ranking.bm25:BM25Ranker",
    ),
    "bm25:paper": RankerEntry(
        "Okapi BM25 of the lead's keywords against each sentence with its context, as the paper's BM25",
        "linkspot.ranking.published_baselines:PublishedBM25Ranker",
    ),
    "embedding": RankerEntry(
        "compares meanings: the vectors of a sentence and of the target, with any sentence encoder",
        "linkspot.ranking.embedding:EmbeddingRanker",
        "ENCODER",
    ),
    "entqa": RankerEntry(
        "EntQA's retriever: two encoders, of passages and of entities; the authors' checkpoint or any two",
        "linkspot.ranking.entqa:EntQARanker",
        "CHECKPOINT[,BASE][,context=5] or PASSAGES,ENTITIES[,context=5]",
    ),
    "get": RankerEntry(
        "how likely a sequence model is to write the target's title for the sentence",
        "linkspot.ranking.get:GetRanker",
        "MODEL[,context=5]",
    ),
    "llm-pairwise": RankerEntry(
        "asks a language model which of two places is better, for all pairs (PRP-Allpair)",
        "linkspot.ranking.llm.pairwise:LlmPairwiseRanker",
        "MODEL",
        needs=("httpx2",),
    ),
    CASCADE: RankerEntry(
        "lets an expensive ranker order the best places of a cheap one",
        "linkspot.ranking.cascade:CascadeRanker",
        "CHEAP,10,EXPENSIVE",
    ),
    WITHOUT_PRECEDENTS: RankerEntry(
        "hides from another ranker where the page links the target in other languages",
        "linkspot.ranking.without_precedents:WithoutPrecedentsRanker",
        "RANKER",
    ),
}


def all_rankers() -> dict[str, RankerEntry]:
    """Return the rankers of linkspot and those of other installed packages; nothing of theirs is imported."""
    others = {name: RankerEntry(str(plug_in), plug_in.target) for name, plug_in in plug_ins(GROUP).items()}
    return {**RANKERS, **{name: entry for name, entry in others.items() if name not in RANKERS}}


def split_name(name: str) -> tuple[str, str]:
    """Return the ranker that a name begins with, and what stands behind the colon, unless both are one name."""
    if name in RANKERS:
        return name, ""
    known, _, argument = name.partition(":")
    return _OLD_NAMES.get(known, known), argument


def open_ranker(name: str, options: RankerOptions | None = None) -> Ranker:
    """Return the ranker with this name, such as `bm25` or `embedding:ENCODER`, or the one of a model's folder."""
    known, argument = split_name(name)
    opened: Ranker
    if (entry := RANKERS.get(known)) and bool(argument) == bool(entry.takes):
        if entry.needs:
            require(Extra.DATA, f"the ranker {known}", entry.needs)
        make = resolved(entry.ranker)
        opened = make.of_argument(argument, options or RankerOptions()) if argument else make()
        return opened
    if entry and entry.takes:
        raise UnknownRanker(f"the ranker {known} takes more than its name; write it as {known}:{entry.takes}")
    if entry and argument and not Path(name).is_dir():
        forms = [other for other in RANKERS if other.partition(":")[0] == known]
        raise UnknownRanker(f"{name!r} is not a form of the ranker {known}; write it as {' or '.join(forms)}")
    if plug_in := plugged_in(known):
        return _open_plug_in(plug_in, known, argument, options or RankerOptions())
    if Path(name).is_dir():
        from linkspot.ranking.neural import load

        return load(name)
    raise UnknownRanker(
        f"no ranker is called {name!r}, and it is not a model's folder; there are: {', '.join(sorted(all_rankers()))}"
    )


def plugged_in(known: str) -> PlugIn | None:
    """Return the ranker with this name that another package brings; linkspot's own names keep their meaning."""
    return None if known in RANKERS else plug_ins(GROUP).get(known)


def _open_plug_in(plug_in: PlugIn, name: str, argument: str, options: RankerOptions) -> Ranker:
    make = plug_in.load()
    if argument and not hasattr(make, "of_argument"):
        raise UnknownRanker(f"the ranker {name} takes nothing behind its name; write it as {name}")
    opened: Ranker = make.of_argument(argument, options) if argument else make()
    return opened


def is_model(name: str) -> bool:
    """Return whether a name means a trained model: the one that comes with linkspot, or one in a folder."""
    known, _argument = split_name(name)
    return known == SHIPPED or (known not in RANKERS and not plugged_in(known))


def is_quick(name: str) -> bool:
    """Return whether a ranker runs no model; rankers that take something behind a colon, or are plug-ins, may."""
    known, _argument = split_name(name)
    return known != SHIPPED and known in RANKERS and not RANKERS[known].takes
