"""The catalogue of experiments: the paper's questions, and the variants that answer them. Plain data.

A variant is a recipe that ships with linkspot, with some changes, or a ranker without training.
"""

from linkspot.errors import UnusableInput
from linkspot.experiments.experiment import Experiment, Learns, Plot, Tested, Variant
from linkspot.experiments.paper_figures import PaperTable

E5, MINILM = "e5-small-multilingual", "minilm-l6-english"


def experiment_of(name: str) -> Experiment:
    """Return the experiment of that name."""
    if name not in EXPERIMENTS:
        raise UnusableInput(f"no experiment is called {name!r}; there are: {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]


_RANDOM = Variant("Random", ranker="random", paper="Random")
_STRING_MATCH = Variant("String Match", ranker="string-match", paper="String Match")
_BM25 = Variant("BM25", ranker="bm25", paper="BM25")
_SIMILARITY = Variant("Similarity", ranker="embedding:{encoder}", encoder="intfloat/multilingual-e5-small")
_LEXICAL = (_RANDOM, _STRING_MATCH, _BM25)
_ANCHORS = (_RANDOM, _BM25)  # baselines that every trained variant is compared with
_XLOCEI = Variant("xLocEI", "xlocei", paper="xLocEI")
_LOCEI = Variant("LocEI", "locei", learns=Learns.ONE, paper="LocEI")
_NOT_KNOWN = ""  # the paper's figures on this question are not known to linkspot


def of_encoders(*encoders: tuple[str, str, int]) -> tuple[Variant, ...]:
    """Return LocEI trained from several encoders, each given as a label, a name and a number of layers (0: all)."""
    trained = (
        Variant(label, "locei", learns=Learns.ONE, encoder=name, layers=layers) for label, name, layers in encoders
    )
    return (*_ANCHORS, *trained)


def _of_sizes(*sizes: int) -> tuple[Variant, ...]:
    """Return variants that train one stage only, with each number of examples."""
    stages = {"stage 1": "stage-1-only", "stage 2": "stage-2-only"}
    return tuple(
        Variant(f"{stage}, {size:,} examples", recipe, learns=Learns.ONE, examples=size, curve=stage)
        for stage, recipe in stages.items()
        for size in sizes
    )


_TABLE = (
    Experiment(
        "main",
        "All methods in all languages",
        "How well does each method find the place for a link, over all languages?",
        "Models that learn from context removal and from real insertions are far better than matching words, most of "
        "all if the words for the link are missing; one model for all languages (xLocEI) is better than one for each.",
        Tested.LEARNED,
        "xLocEI",
        (
            *_LEXICAL,
            _SIMILARITY,
            Variant("simple fine-tuning", "simple-fine-tuning", paper="simple fine-tuning"),
            Variant("LocEI", "locei", learns=Learns.EACH, encoder="xlm-roberta-base", paper="LocEI"),
            _XLOCEI,
            Variant("article", "article-multilingual"),
            Variant("dual", "dual-multilingual"),
        ),
        paper=PaperTable.LANGUAGES,
        is_about_models=True,
    ),
    Experiment(
        "english",
        "Methods in English",
        "How good are entity linkers and large language models, which the paper tries in English only?",
        "Entity linkers and GPT-4 with pairwise prompts are far behind LocEI, most of all if words are missing.",
        Tested.ONE,
        "LocEI",
        (
            *_LEXICAL,
            _SIMILARITY,
            Variant("simple fine-tuning", "simple-fine-tuning", learns=Learns.ONE),
            _LOCEI,
            Variant("article", "article", learns=Learns.ONE),
            Variant("dual", "dual", learns=Learns.ONE),
        ),
        paper=PaperTable.ENGLISH,
        is_about_models=True,
    ),
    Experiment(
        "zero-shot",
        "Languages that a model did not learn from, though it could have",
        "How much is lost in a language if a model learns from other languages only?",
        "Little: a model for many languages also works in languages that it never saw.",
        Tested.OUTSIDE_PART,
        "all languages",
        (
            *_ANCHORS,
            Variant("other languages alone", "xlocei", learns=Learns.PART),
            Variant("all languages", "xlocei"),
            Variant("each language by itself", "xlocei", learns=Learns.EACH),
        ),
    ),
    Experiment(
        "held-out",
        "Languages without training data",
        "Does one model for many languages work in languages that no model could learn from?",
        "Yes, with little loss.",
        Tested.HELD_OUT,
        "xLocEI",
        (*_LEXICAL, _SIMILARITY, Variant("simple fine-tuning", "simple-fine-tuning"), _XLOCEI),
    ),
    Experiment(
        "ablation",
        "The five steps from simple fine-tuning to the whole model",
        "What does each part of the method add: context removal, also of negatives, real insertions, knowledge?",
        "The steps help if words are missing (Hits@1 .350 after the first, .579 for the whole model, 20 languages); "
        "if they are present, simple fine-tuning is nearly as good (.883 and .909).",
        Tested.LEARNED,
        "+ knowledge injection",
        (
            *_ANCHORS,
            Variant("simple fine-tuning", "simple-fine-tuning", paper="simple fine-tuning"),
            Variant("+ context removal", "removal-of-positives"),
            Variant("+ of negatives too", "removal-everywhere"),
            Variant("+ expansion", "expansion"),
            Variant("+ knowledge injection", "xlocei", paper="xLocEI"),
        ),
        paper=PaperTable.LANGUAGES,
    ),
    Experiment(
        "starting-model",
        "The encoder to start from",
        "How much depends on the pretrained encoder?",
        _NOT_KNOWN,
        Tested.ONE,
        "",
        of_encoders(
            ("BERT", "bert-base-uncased", 0),
            ("T5 (encoder)", "t5-base", 0),
            ("RoBERTa", "roberta-base", 0),
            ("XLM-R", "xlm-roberta-base", 0),
        ),
        of_encoders(("MiniLM", MINILM, 0), ("multilingual E5", E5, 0)),
        takes_encoders=True,
    ),
    Experiment(
        "model-size",
        "The size of the encoder",
        "How much does a larger encoder add?",
        _NOT_KNOWN,
        Tested.ONE,
        "",
        of_encoders(
            ("RoBERTa base", "roberta-base", 0),
            ("RoBERTa large", "roberta-large", 0),
            ("XLM-R base", "xlm-roberta-base", 0),
            ("XLM-R large", "xlm-roberta-large", 0),
        ),
        of_encoders(("4 layers", E5, 4), ("8 layers", E5, 8), ("12 layers", E5, 12)),
        takes_encoders=True,
    ),
    Experiment(
        "data-size",
        "How much data each stage needs",
        "How do the figures grow with the number of existing links (stage 1) and of real insertions (stage 2)?",
        _NOT_KNOWN,
        Tested.ONE,
        "",
        (*_ANCHORS, *_of_sizes(500, 2_000, 5_000, 10_000, 20_000)),
        (*_ANCHORS, *_of_sizes(120, 360, 1_000)),
        plot=Plot.CURVE,
    ),
    Experiment(
        "stages",
        "One stage or both",
        "Is it enough to learn only from existing links with context removal, or only from real insertions?",
        _NOT_KNOWN,
        Tested.ONE,
        "both stages",
        (
            *_ANCHORS,
            Variant("stage 1 only", "stage-1-only", learns=Learns.ONE),
            Variant("stage 2 only", "stage-2-only", learns=Learns.ONE),
            Variant("both stages", "locei", learns=Learns.ONE),
        ),
    ),
    Experiment(
        "monolingual-vs-multilingual",
        "One model for each language, or one for all",
        "Does a language gain from the others if one model learns from all of them?",
        "Yes: over 20 languages, Hits@1 is .672 with a model for each and .726 with one for all.",
        Tested.LEARNED,
        "one model for all",
        (
            *_ANCHORS,
            Variant(
                "a model for each language", "locei", learns=Learns.EACH, encoder="xlm-roberta-base", paper="LocEI"
            ),
            Variant("one model for all", "xlocei", paper="xLocEI"),
        ),
        paper=PaperTable.LANGUAGES,
    ),
    Experiment(
        "loss",
        "The loss: pointwise or listwise",
        "Is it better to learn from all candidates of a query together, or from each candidate by itself?",
        _NOT_KNOWN,
        Tested.ONE,
        "listwise",
        (
            *_ANCHORS,
            Variant("pointwise", "pointwise", learns=Learns.ONE),
            Variant("listwise", "locei", learns=Learns.ONE),
        ),
    ),
    Experiment(
        "encoders",
        "One encoder input or three",
        "Is it better to encode target and candidate together, or source, candidate and target separately?",
        _NOT_KNOWN,
        Tested.ONE,
        "single",
        (
            *_ANCHORS,
            Variant("single", "locei", learns=Learns.ONE),
            Variant("triple", "triple-encoder", learns=Learns.ONE),
        ),
        is_about_models=True,
    ),
)
EXPERIMENTS: dict[str, Experiment] = {experiment.name: experiment for experiment in _TABLE}
