"""The command that adapts a model to one's own wiki: adapt."""

from pathlib import Path
from typing import Annotated

import typer

from linkspot.cli.output import say
from linkspot.extras import Extra, require


def adapt(
    dataset: Annotated[
        Path, typer.Argument(metavar="DATASET", help="What 'linkspot dataset' made of your wiki.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(help="The folder for the adapted model.", show_default=False)],
    model: Annotated[
        Path | None,
        typer.Option(help="The dual model to start from.", show_default="the one that comes with linkspot"),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of every random draw.")] = 0,
) -> None:
    """Refit the head of a dual model to the links that editors of your wiki added; some hundreds of them suffice.

    The new head is kept only if it ranks the dataset's validation insertions better than the old one.

    Example: linkspot adapt mywiki-dataset --out mywiki-model
    """
    require(Extra.TRAIN, "linkspot adapt")
    from linkspot.cli.progress import TerminalProgress
    from linkspot.model.shipped import shipped_model
    from linkspot.ranking.neural import open_encoder
    from linkspot.training.adapt import adapt as refit
    from linkspot.training.adapt import check

    start = model or shipped_model()
    config = check(dataset, start, out)
    with TerminalProgress() as progress:
        result = refit(dataset, start, out, open_encoder(start, config), progress, seed)
    old, new = result.before, result.after
    told = f"on {old.queries:,} validation insertions: Hits@1 {old.hits_at_1:.3f}, MRR {old.mrr:.3f}"
    if result.is_better:
        say(f"{told} before; Hits@1 {new.hits_at_1:.3f}, MRR {new.mrr:.3f} now (the epoch was chosen on them)")
    else:
        say(f"{told}; no head fitted to {result.examples:,} examples was better, so the old one is kept")
    say(f"The model is in {out}")
