"""The options of the commands that measure rankers: evaluate, compare, experiment, benchmark."""

from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.values import folder_to_make
from linkspot.ranking.ranker import DEFAULT_RANKER

DEFAULT_RANKERS = ("random", "string-match", "bm25", DEFAULT_RANKER)

# What is ranked
Dataset = Annotated[
    Path | None,
    typer.Argument(metavar="DATASET", help="A folder that 'linkspot dataset' made.", show_default=False),
]
Published = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Instead of DATASET: the paper's published test files. They are ranked twice: as released, and with the "
        "missing spaces repaired that give the answer away.",
        show_default=False,
    ),
]
Split = Annotated[str, typer.Option(metavar="NAME", help="Which insertions to rank: test, validation or train.")]
Languages = Annotated[
    str, typer.Option(metavar="CODES", help="Only these languages, for example en,sw,zh-tw.", show_default="all")
]
ExperimentName = Annotated[
    str, typer.Argument(metavar="NAME", help="Which experiment; '?' lists them.", show_default=False)
]
ExperimentDataset = Annotated[
    Path | None,
    typer.Option(
        "--dataset",
        metavar="FOLDER",
        help="A folder that 'linkspot dataset' made of an index and insertions.",
        show_default=False,
    ),
]
BenchmarkData = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        envvar="LINKSPOT_DATA",
        help="The folder with openttd/, mdn/ and wikipedia/.",
        show_default=False,
    ),
]

# What ranks
Rankers = Annotated[
    list[str] | None,
    typer.Option(
        "--ranker",
        metavar="NAME",
        help="A ranker ('linkspot rankers' lists them) or a model's folder. LABEL=NAME gives it a label. Repeat it for "
        "more.",
        show_default=", ".join(DEFAULT_RANKERS),
    ),
]
FurtherRankers = Annotated[
    list[str] | None,
    typer.Option(
        "--ranker",
        metavar="NAME",
        help="A further ranker or model folder to compare with. LABEL=NAME gives it a label. Repeat it for more.",
        show_default=False,
    ),
]
RankerJobs = Annotated[
    int, typer.Option(metavar="N", min=1, help="How many processes rank. A model uses all cores by itself.")
]
BaseUrl = Annotated[
    str, typer.Option(metavar="URL", help="For llm-pairwise: where the language model answers.", show_default=False)
]
MaxCalls = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="For llm-pairwise: stop after this many calls.", show_default="no limit"),
]

# What is trained
Budget = Annotated[
    str, typer.Option(metavar="NAME", help="small: an hour on two cores. paper: the full recipes, for a GPU.")
]
BudgetLimit = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=0,
        help="At most this many test queries per language; 0 means all.",
        show_default="the budget's",
    ),
]
Encoders = Annotated[
    list[str] | None,
    typer.Option(
        "--encoder",
        metavar="NAME",
        help="The encoder to start from: a folder or a Hugging Face id. Repeat it to compare encoders.",
        show_default="the budget's",
    ),
]
SimilarityEncoder = Annotated[
    str,
    typer.Option(
        "--encoder",
        metavar="NAME",
        help="The encoder for plain similarity: a folder or a Hugging Face id.",
        show_default="e5-small-multilingual, if it is installed",
    ),
]
Part = Annotated[
    str,
    typer.Option(
        metavar="CODES",
        help="For zero-shot and held-out: the languages that one model learns from, for example en,sw.",
        show_default="the paper's 11, or else every second language",
    ),
]
OneLanguage = Annotated[
    str,
    typer.Option(
        metavar="CODE",
        help="The language of an experiment in one language.",
        show_default="the paper's: English, or Simple English",
    ),
]
Sizes = Annotated[
    str,
    typer.Option(
        metavar="NUMBERS",
        help="For data-size: the numbers of examples to compare, for example 1000,10000.",
        show_default="the budget's",
    ),
]

# How rankers are compared
Against = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Mark what is significantly better or worse than this ranker.",
        show_default="the best against the best of the others",
    ),
]
MetricNames = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="Hits@1, MRR, Hits@3, Hits@5 or NDCG. Repeat it for more.",
        show_default="Hits@1 and MRR",
    ),
]
Draws = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="How many random draws a p-value takes.", show_default="10,000")
]

# Results
RankingsOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        callback=folder_to_make,
        help="The folder for the rankings. A run that was stopped continues there.",
        show_default=False,
    ),
]
ReportOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        callback=folder_to_make,
        help="The folder for all results and the report. A run that was stopped continues there.",
        show_default=False,
    ),
]
ComparisonOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        callback=folder_to_make,
        help="The folder for tables (Markdown, LaTeX, CSV) and plots (PNG, SVG).",
        show_default="RESULTS/comparison",
    ),
]
