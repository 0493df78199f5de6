"""The command that adapts a model to your own wiki: adapt."""

from linkspot.cli.model_options import OwnDataset, StartModel
from linkspot.cli.options import NewFolder, Seed
from linkspot.cli.output import say
from linkspot.extras import Extra, require


def adapt(
    dataset: OwnDataset,
    out: NewFolder,
    model: StartModel = None,
    seed: Seed = 0,
) -> None:
    """Train the head of a dual model again on the links that editors of your wiki added; a few hundred are enough.

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
    before = f"On {old.queries:,} validation insertions: Hits@1 {old.hits_at_1:.3f}, MRR {old.mrr:.3f}"
    if result.is_better:
        say(f"{before} before; Hits@1 {new.hits_at_1:.3f}, MRR {new.mrr:.3f} now (the epoch was chosen on them)")
    else:
        say(f"{before}; no head fitted to {result.examples:,} examples was better, so the old one is kept")
    say(f"The model is in {out}")
