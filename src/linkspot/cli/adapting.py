"""The command that adapts a model to your own wiki: adapt."""

from linkspot.cli.model_options import Afresh, MostInsertions, MostLinks, OwnDataset, StartModel
from linkspot.cli.options import NewFolder, Seed
from linkspot.cli.output import say
from linkspot.extras import Extra, require


def adapt(
    dataset: OwnDataset,
    out: NewFolder,
    model: StartModel = None,
    links: MostLinks = 200,
    insertions: MostInsertions = 0,
    afresh: Afresh = False,
    seed: Seed = 0,
) -> None:
    """Train the head of a dual model again on the links of your wiki; some dozens are enough to trust its numbers.

    It learns from links that editors added, and from existing links taken out of their pages. The new head is kept
    only if it ranks better than the old one on validation; how sure the model says it is fits your wiki either way.

    Example: linkspot adapt mywiki-dataset --out mywiki-model
    """
    require(Extra.TRAIN, "linkspot adapt")
    from linkspot.cli.progress import TerminalProgress
    from linkspot.model.shipped import shipped_model
    from linkspot.ranking.neural import open_encoder
    from linkspot.training.adapt import AdaptSettings, check
    from linkspot.training.adapt import adapt as refit

    start = model or shipped_model()
    config = check(dataset, start, out)
    settings = AdaptSettings(links, insertions, afresh, seed)
    with TerminalProgress() as progress:
        result = refit(dataset, start, out, open_encoder(start, config), progress, settings)
    old, new = result.before, result.after
    before = f"On {old.queries:,} validation links: Hits@1 {old.hits_at_1:.3f}, MRR {old.mrr:.3f}"
    if result.is_better:
        say(f"{before} before; Hits@1 {new.hits_at_1:.3f}, MRR {new.mrr:.3f} now (the epoch was chosen on them)")
    else:
        say(f"{before}; no head fitted to {result.examples:,} examples was better, so the old order is kept")
    say(f"The model is in {out}")
