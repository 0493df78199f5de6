"""The catalogue of experiments: the paper's questions, then linkspot's own, and the variants that answer them.

A variant is a recipe that ships with linkspot, with some changes, or a ranker without training. All rows of a table
start from one encoder, unless the encoder is the question.
"""

from linkspot.errors import UnusableInput
from linkspot.experiments.experiment import Compared, Experiment, Learns, PaperTable, Plot, Tested, Variant
from linkspot.experiments.variants import (
    ANCHORS,
    E5,
    EACH_SIZE,
    LEXICAL,
    MINILM,
    OUR_ANCHORS,
    OUR_LEXICAL,
    SENTENCE_ENCODER,
    SIMPLE_ENGLISH,
    ablation,
    of_encoders,
    of_sizes,
)


def experiment_of(name: str) -> Experiment:
    """Return the experiment of that name."""
    if name not in EXPERIMENTS:
        raise UnusableInput(f"no experiment is called {name!r}; there are: {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]


_XLOCEI = Variant("xLocEI", "xlocei", paper="xLocEI")
_PART = Variant("xLocEI₁₁ (a part of the languages)", "xlocei", learns=Learns.PART, paper="xLocEI 11")
_ALL = Variant("xLocEI₂₀ (all languages)", "xlocei", paper="xLocEI 20")

_MAIN = (
    Experiment(
        "main",
        "All methods in all languages",
        "How well does each method find the place for a link, over all languages?",
        "Models that learn from context removal and from real insertions are far better than matching words, most of "
        "all if the words for the link are missing; one model for all languages (xLocEI) is better than one for each.",
        Tested.LEARNED,
        "xLocEI",
        (
            *LEXICAL,
            Variant("simple fine-tuning", "simple-fine-tuning", learns=Learns.EACH, paper="Simple fine-tuning"),
            Variant("LocEI", "locei", learns=Learns.EACH, paper="LocEI"),
            _XLOCEI,
            Variant("article", "article-multilingual"),
        ),
        paper=PaperTable.MAIN,
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
            *LEXICAL,
            Variant("simple fine-tuning", "simple-fine-tuning", learns=Learns.ONE, paper="Simple fine-tuning"),
            Variant("LocEI", "locei", learns=Learns.ONE, paper="LocEI"),
            Variant("article", "article", learns=Learns.ONE),
        ),
        paper=PaperTable.ENGLISH,
        is_about_models=True,
    ),
    Experiment(
        "zero-shot",
        "Languages that a model did not learn from, though it could have",
        "How much is lost in a language if a model learns from other languages only?",
        "Little: xLocEI₁₁ reaches .690 by Hits@1 in languages that it never saw, xLocEI₂₀, which learned from them, "
        ".709, and a model for each language .647.",
        Tested.OUTSIDE_PART,
        "LocEI (each language by itself)",
        (
            *ANCHORS,
            Variant("LocEI (each language by itself)", "locei", learns=Learns.EACH, paper="LocEI"),
            _ALL,
            _PART,
        ),
        paper=PaperTable.ZERO_SHOT,
    ),
    Experiment(
        "held-out",
        "Languages without training data",
        "Does one model for many languages work in languages that no model could learn from?",
        "Yes: over 85 languages, Hits@1 is .683 for a model that learned from 11 languages, and .706 with 20.",
        Tested.HELD_OUT,
        _ALL.label,
        (*LEXICAL, _PART, _ALL),
        paper=PaperTable.HELD_OUT,
    ),
    Experiment(
        "ablation",
        "The five steps from simple fine-tuning to LocEI",
        "What does each part of the method add: context removal, also of negatives, real insertions, knowledge?",
        "Real insertions add most if words are missing (Hits@1 .350 with the first step, .500 with expansion, .509 for "
        "LocEI, over 20 languages); if they are present, simple fine-tuning is as good (.883 and .877).",
        Tested.LEARNED,
        "+ knowledge injection",
        ablation(Learns.EACH),
        compared=Compared.PREVIOUS,
        paper=PaperTable.ABLATION,
    ),
    Experiment(
        "ablation-english",
        "The five steps from simple fine-tuning to LocEI, in English",
        "What does each part of the method add in a language with much data?",
        "The same as over 20 languages, and more: Hits@1 of Missing is .287 with the first step, .602 with the last.",
        Tested.ONE,
        "+ knowledge injection",
        ablation(Learns.ONE),
        compared=Compared.PREVIOUS,
        paper=PaperTable.ABLATION_ENGLISH,
    ),
)
_APPENDIX = (
    Experiment(
        "starting-model",
        "The encoder to start from",
        "How much depends on the pretrained encoder?",
        "Much: Hits@1 is .666 from BERT, .710 from T5's encoder and .851 from RoBERTa.",
        Tested.ONE,
        "",
        of_encoders(
            ("BERT", "bert-base-uncased", 0, "BERT"),
            ("T5 (encoder)", "t5-base", 0, "T5enc"),
            ("RoBERTa", "roberta-base", 0, "RoBERTa"),
        ),
        of_encoders(("MiniLM", MINILM, 0, ""), ("multilingual E5", E5, 0, "")),
        language=SIMPLE_ENGLISH,
        paper=PaperTable.STARTING_MODEL,
        takes_encoders=True,
    ),
    Experiment(
        "model-size",
        "The size of the encoder",
        "How much does a larger encoder add?",
        "Nothing that is significant, in Simple English.",
        Tested.ONE,
        "",
        of_encoders(
            ("RoBERTa base", "roberta-base", 0, "RoBERTa BASE"), ("RoBERTa large", "roberta-large", 0, "RoBERTa LARGE")
        ),
        of_encoders(("4 layers", E5, 4, ""), ("8 layers", E5, 8, ""), ("12 layers", E5, 12, "")),
        language=SIMPLE_ENGLISH,
        paper=PaperTable.MODEL_SIZE,
        takes_encoders=True,
    ),
    Experiment(
        "data-size",
        "How much data each stage needs",
        "How do the figures grow with the number of existing links (stage 1) and of real insertions (stage 2)?",
        "More existing links (10³ to 10⁶) add nothing that can be seen; more insertions (10² to 10⁵) help throughout. "
        "The paper draws curves and prints no figures.",
        Tested.ONE,
        "",
        (*ANCHORS, *of_sizes(EACH_SIZE)),
        (*ANCHORS, *of_sizes({"stage 1": (120, 360, 1_000), "stage 2": (120, 360, 1_000)})),
        plot=Plot.CURVE,
    ),
    Experiment(
        "stages",
        "One stage or both",
        "Is it enough to learn only from existing links with context removal, or only from real insertions?",
        "No: both are better by Hits@1 (.672) than the first (.584) or the second alone (.604).",
        Tested.ONE,
        "both stages",
        (
            *ANCHORS,
            Variant("stage 1 only", "stage-1-only", learns=Learns.ONE, paper="Warm start"),
            Variant("stage 2 only", "stage-2-only", learns=Learns.ONE, paper="Expansion"),
            Variant("both stages", "locei", learns=Learns.ONE, paper="Warm start + Expansion"),
        ),
        compared=Compared.PREVIOUS,
        paper=PaperTable.STAGES,
    ),
    Experiment(
        "roberta-vs-xlmr",
        "An encoder for one language or for many",
        "Is an encoder that was pretrained in one language better there than one for a hundred?",
        "Yes, in English: RoBERTa is better than XLM-R in every scenario.",
        Tested.ONE,
        "",
        of_encoders(
            ("RoBERTa", "roberta-base", 0, "RoBERTa BASE"), ("XLM-R", "xlm-roberta-base", 0, "XLM-RoBERTa BASE")
        ),
        of_encoders(("MiniLM (English)", MINILM, 0, ""), ("multilingual E5", E5, 0, "")),
        paper=PaperTable.ROBERTA_VS_XLMR,
        takes_encoders=True,
    ),
    Experiment(
        "monolingual-vs-multilingual",
        "One model for each language, or one for all",
        "Does a language gain from the others if one model learns from all of them?",
        "Yes: over 20 languages, Hits@1 is .672 with a model for each and .726 with one for all.",
        Tested.LEARNED,
        "one model for all",
        (
            *LEXICAL,
            Variant("a model for each language", "locei", learns=Learns.EACH, paper="LocEI"),
            Variant("one model for all", "xlocei", paper="xLocEI"),
        ),
        paper=PaperTable.MAIN,
    ),
    Experiment(
        "loss",
        "The loss: pointwise or listwise",
        "Is it better to learn from all candidates of a query together, or from each candidate by itself?",
        "Together, by a little: Hits@1 is .658 with the listwise loss and .641 with the pointwise one.",
        Tested.ONE,
        "listwise",
        (
            *ANCHORS,
            Variant("pointwise", "pointwise", learns=Learns.ONE, paper="Pointwise Loss"),
            Variant("listwise", "locei", learns=Learns.ONE, paper="Ranking Loss"),
        ),
        language=SIMPLE_ENGLISH,
        paper=PaperTable.LOSS,
    ),
    Experiment(
        "encoders",
        "One encoder input or three",
        "Is it better to encode target and candidate together, or source, candidate and target separately?",
        "Together: with three, the vectors of source and target came to say nothing. The paper prints no figures.",
        Tested.ONE,
        "single",
        (
            *ANCHORS,
            Variant("single", "locei", learns=Learns.ONE),
            Variant("triple", "triple-encoder", learns=Learns.ONE),
        ),
        is_about_models=True,
    ),
)
_OURS = (
    Experiment(
        "marks",
        "The candidate's sentence, marked or not",
        "Does it help to frame the candidate's own sentence, which the paper's input does not show?",
        "",
        Tested.ONE,
        "the paper's input",
        (
            *OUR_ANCHORS,
            Variant("the paper's input", "locei", learns=Learns.ONE),
            Variant("with marks", "locei-marked", learns=Learns.ONE),
        ),
        is_about_models=True,
    ),
    Experiment(
        "kinds",
        "Kinds of models from one sentence encoder",
        "How do linkspot's models (article, dual) compare with the paper's windows and with plain similarity?",
        "",
        Tested.LEARNED,
        "dual",
        (
            *OUR_LEXICAL,
            Variant("Similarity", ranker="embedding:{encoder}", encoder=SENTENCE_ENCODER),
            Variant("window", "xlocei", encoder=SENTENCE_ENCODER),
            Variant("article", "article-multilingual", encoder=SENTENCE_ENCODER),
            Variant("dual", "dual-multilingual", encoder=SENTENCE_ENCODER),
        ),
        is_about_models=True,
    ),
)
EXPERIMENTS: dict[str, Experiment] = {experiment.name: experiment for experiment in (*_MAIN, *_APPENDIX, *_OURS)}
