"""Variants that several experiments share: baselines, steps, encoders and sizes. Plain data."""

from collections.abc import Mapping, Sequence

from linkspot.experiments.experiment import Learns, Variant

E5, MINILM = "e5-small-multilingual", "minilm-l6-english"
SENTENCE_ENCODER = "intfloat/multilingual-e5-small"
SIMPLE_ENGLISH = "simple"

# The paper's baselines as it describes them: a table that has its rows must not compare with better ones.
LEXICAL = (
    Variant("Random", ranker="random", paper="Random"),
    Variant("String Match", ranker="string-match:paper", paper="String Match"),
    Variant("BM25", ranker="bm25:paper", paper="BM25"),
)
ANCHORS = (Variant("Random", ranker="random"), Variant("BM25", ranker="bm25:paper"))  # where the paper's table has none
OUR_ANCHORS = (Variant("Random", ranker="random"), Variant("BM25", ranker="bm25"))
OUR_LEXICAL = (Variant("Random", ranker="random"), Variant("String Match", ranker="string-match"), OUR_ANCHORS[1])

#: The paper's numbers of examples, by the stage that learns from them alone.
EACH_SIZE = {"stage 1": (1_000, 10_000, 100_000, 1_000_000), "stage 2": (100, 1_000, 10_000, 100_000)}
_STAGES = {"stage 1": "stage-1-only", "stage 2": "stage-2-only"}
_SIZE_ENCODER = "roberta-base"  # what the paper says for this question


def ablation(learns: Learns) -> tuple[Variant, ...]:
    """Return the five steps from simple fine-tuning to LocEI."""
    return (
        *ANCHORS,
        Variant("simple fine-tuning", "simple-fine-tuning", learns=learns, paper="simple fine-tuning"),
        Variant("+ context removal", "removal-of-positives", learns=learns, paper="+dynamic ctxt removal (w/o neg)"),
        Variant("+ of negatives too", "removal-everywhere", learns=learns, paper="+dynamic ctxt removal"),
        Variant("+ expansion", "expansion", learns=learns, paper="+expansion"),
        Variant("+ knowledge injection", "locei", learns=learns, paper="+knowledge injection"),
    )


def of_encoders(*encoders: tuple[str, str, int, str]) -> tuple[Variant, ...]:
    """Return LocEI from several encoders: a label, a name, how many layers (0: all), its row in the paper's table."""
    trained = (
        Variant(label, "locei", learns=Learns.ONE, encoder=name, layers=layers, paper=paper)
        for label, name, layers, paper in encoders
    )
    return (*ANCHORS, *trained)


def of_sizes(sizes: Mapping[str, Sequence[int]]) -> tuple[Variant, ...]:
    """Return variants that train one stage only, with each number of examples that is given for the stage."""
    return tuple(
        Variant(
            f"{stage}, {size:,} examples",
            _STAGES[stage],
            learns=Learns.ONE,
            encoder=_SIZE_ENCODER,
            examples=size,
            curve=stage,
        )
        for stage, own in sizes.items()
        for size in own
    )
