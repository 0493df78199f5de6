"""The ranker protocol and the table of rankers: what every way of scoring places has in common."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from linkspot.errors import UnknownRanker
from linkspot.extras import Extra, require
from linkspot.files import digest_of
from linkspot.records import Article, Entity

SHIPPED = "linkspot"  # the model that comes with linkspot
DEFAULT_RANKER = SHIPPED


class Ranker(Protocol):
    """Scores every candidate of an article; higher means a better place."""

    @property
    def nowhere(self) -> float:
        """A score at or below this says that the ranker sees no reason for the link at that place."""
        ...

    def score(self, entity: Entity, article: Article) -> list[float]:
        """Return one score per candidate, in the article's order; none is dropped."""
        ...


def has_logits(ranker: Ranker) -> bool:
    """Tell whether scores, less `nowhere`, are logits of the places against *nowhere*, which give probabilities."""
    return getattr(ranker, "has_logits", False) is True


@dataclass(frozen=True, slots=True)
class RankerOptions:
    """What some rankers are told besides their names: where a language model answers, and how much it may be asked."""

    base_url: str = ""
    key: str = field(default="", repr=False)
    max_calls: int | None = None
    answers: Path | None = None  # keeps what was answered


@dataclass(frozen=True, slots=True)
class RankerEntry:
    """A line of the table: what the ranker does, in one sentence, and how to open it.

    `takes` is what is written behind its name and a colon, if anything is.
    """

    description: str
    open: Callable[[str, RankerOptions], Ranker]
    takes: str = ""


def _linkspot(_argument: str, _options: RankerOptions) -> Ranker:
    from linkspot.ranking.neural import load_shipped

    return load_shipped()


def _random(_argument: str, _options: RankerOptions) -> Ranker:
    from linkspot.ranking.lexical import RandomRanker

    return RandomRanker()


def _string_match(_argument: str, _options: RankerOptions) -> Ranker:
    from linkspot.ranking.lexical import StringMatchRanker

    return StringMatchRanker()


def _bm25(_argument: str, _options: RankerOptions) -> Ranker:
    from linkspot.ranking.lexical import BM25Ranker

    return BM25Ranker()


def _embedding(encoder: str, _options: RankerOptions) -> Ranker:
    from linkspot.ranking.embedding import EmbeddingRanker

    return EmbeddingRanker.of_folder(encoder)


def _entqa(told: str, _options: RankerOptions) -> Ranker:
    from linkspot.ranking.entqa import EntQARanker

    first, _, second = told.partition(",")
    if Path(first).is_file():
        return EntQARanker.of_checkpoint(first, *([second] if second else ()))
    return EntQARanker.of_encoders(first, second or first)


def _get(model: str, _options: RankerOptions) -> Ranker:
    from linkspot.ranking.get import GetRanker

    return GetRanker.of_folder(model)


def _llm_pairwise(model: str, options: RankerOptions) -> Ranker:
    require(Extra.DATA, "the ranker llm-pairwise", ("httpx2",))
    from linkspot.ranking.llm.endpoint import EndpointSettings
    from linkspot.ranking.llm.pairwise import open_llm_pairwise

    endpoint = EndpointSettings(options.base_url, model, options.key)
    return open_llm_pairwise(endpoint, options.answers, max_calls=options.max_calls)


def _cascade(told: str, options: RankerOptions) -> Ranker:
    from linkspot.ranking.cascade import CascadeRanker, selective

    cheap, best, dear = parts_of_cascade(told)
    return CascadeRanker(open_ranker(cheap, options), selective(open_ranker(dear, options), dear), best)


def parts_of_cascade(told: str) -> tuple[str, int, str]:
    """Return the cheap ranker of a cascade, how many places it chooses, and the dear one that orders them."""
    cheap, best, dear = [*told.split(",", 2), "", ""][:3]
    if not (best.isdigit() and int(best) and dear):
        raise UnknownRanker(f"a cascade is written as cascade:CHEAP,10,DEAR, not as cascade:{told}")
    return cheap, int(best), dear


def _alone(ranker: str, options: RankerOptions) -> Ranker:
    from linkspot.ranking.without_precedents import WithoutPrecedentsRanker

    return WithoutPrecedentsRanker(open_ranker(ranker, options))


# Entries hold functions, so that naming one ranker never imports another's libraries.
RANKERS: dict[str, RankerEntry] = {
    SHIPPED: RankerEntry(
        "the trained model that comes with linkspot: compares words and meanings in some 100 languages, on a CPU",
        _linkspot,
    ),
    "random": RankerEntry("draws scores by chance, from a seed: what any other ranker has to beat", _random),
    "string-match": RankerEntry(
        "looks for the target's known mentions, first in the sentence, then around it", _string_match
    ),
    "bm25": RankerEntry(
        "compares words: the target's title, mentions and lead against each sentence in context", _bm25
    ),
    "embedding": RankerEntry(
        "compares meanings: the vectors of a sentence and of the target, with any sentence encoder",
        _embedding,
        "ENCODER",
    ),
    "entqa": RankerEntry(
        "EntQA's retriever: two encoders, of passages and of entities; the authors' checkpoint or any two",
        _entqa,
        "CHECKPOINT[,BASE] or PASSAGES,ENTITIES",
    ),
    "get": RankerEntry("how likely a sequence model makes the target's title of the sentence", _get, "MODEL"),
    "llm-pairwise": RankerEntry(
        "asks a language model which of two places is better, for all pairs (PRP-Allpair)", _llm_pairwise, "MODEL"
    ),
    "cascade": RankerEntry("lets a dear ranker order the best places of a cheap one", _cascade, "CHEAP,10,DEAR"),
    "alone": RankerEntry(
        "keeps from another ranker where the page links the target in other languages", _alone, "RANKER"
    ),
}


def open_ranker(name: str, options: RankerOptions | None = None) -> Ranker:
    """Return the ranker of that name, with what it takes behind a colon, or of the model in a folder."""
    known, _, argument = name.partition(":")
    entry = RANKERS.get(known)
    if entry and bool(argument) == bool(entry.takes):
        return entry.open(argument, options or RankerOptions())
    if entry and entry.takes:
        raise UnknownRanker(f"the ranker {known} takes more than its name; write it as {known}:{entry.takes}")
    if Path(name).is_dir():
        from linkspot.ranking.neural import load

        return load(name)
    raise UnknownRanker(
        f"no ranker is called {name!r}, and no model's folder is; there are: {', '.join(sorted(RANKERS))}"
    )


def is_model(name: str) -> bool:
    """Tell whether a name means a trained model: the one that comes with linkspot, or that of a folder."""
    known = name.partition(":")[0]
    return known == SHIPPED or known not in RANKERS


def is_quick(name: str) -> bool:
    """Tell whether a ranker runs no model: other models than those above are named behind a colon."""
    return not is_model(name) and not RANKERS[name.partition(":")[0]].takes


def fingerprint(name: str) -> str:
    """Return what tells a ranker from others and from itself after a change, wherever its files lie."""
    from importlib.metadata import version

    return f"{_identity(name)} (linkspot {version('linkspot')})"


def _identity(name: str) -> str:
    known, colon, argument = name.partition(":")
    if is_model(name):
        return f"model:{_mark(_folder(name), name)}"
    if known == "cascade":
        cheap, best, dear = parts_of_cascade(argument)
        return f"cascade:{_identity(cheap)},{best},{_identity(dear)}"
    if known == "alone":
        return f"alone:{_identity(argument)}"
    parts = (_mark(Path(part), part) for part in argument.split(",") if part)
    return f"{known}{colon}{','.join(parts)}"


def _folder(name: str) -> Path:
    if name != SHIPPED:
        return Path(name)
    from linkspot.model.shipped import shipped_model

    return shipped_model()


def _mark(path: Path, name: str) -> str:
    if path.is_dir():
        from linkspot.model.config import CARD

        return digest_of(file for file in path.iterdir() if file.is_file() and file.name != CARD)
    return digest_of([path]) if path.is_file() else name
