"""GET as a ranker: a network trained to write the titles of entities in a text says how likely the target's title is.

In the paper on entity insertion it is the tagger that came with Simig et al. 2022, "Open Vocabulary Extreme
Classification Using Generative Models", a T5. Any encoder-decoder works: BART, T5, mBART. English, as its
weights are.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from linkspot.encoders.encoder import MOST_TOKENS, batches, padded
from linkspot.errors import UnusableInput, first_line
from linkspot.examples.candidates import candidates
from linkspot.extras import require_torch
from linkspot.ranking.context_option import without_context
from linkspot.ranking.ranker import RankerOptions, Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity
from linkspot.text.whole_characters import with_whole_characters

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_NOWHERE = -1e6  # below any likelihood of a network, and finite, so that others can stay behind it
_LONGEST = 512  # tokens of a text; what these networks are trained with
_LONGEST_TITLE = 64
_WEIGHT = 16  # a title's token costs a score for every word of the vocabulary: so many tokens of a text in a batch

Ids = tuple[int, ...]


class GetRanker:
    """Scores by the likelihood of the target's title as what a candidate's text is about: the mean of its tokens' logs.

    The title's own tokens count, given those before them. What frames them is given (a language, a beginning) or left
    out (the end: a tagger continues with the next title). The paper ran a constrained search of the title's length,
    which can only find the title. The sum is divided by the number of tokens, so that targets can be compared.

    On a page the text is the sentence alone: candidates that share their context share their score, and a text that is
    mostly context ranks worse. Any other text, such as a window of the published dataset, is scored as a whole.

    It never says *nowhere*: a likely title is a common one as often as a fitting one.
    """

    reads: ClassVar[Reads] = Reads.TEXTS

    def __init__(
        self, model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", context_sentences: int = 0
    ) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._context = context_sentences
        self._longest = min(_LONGEST, getattr(model.config, "max_position_embeddings", _LONGEST))

    @classmethod
    def of_argument(cls, argument: str, _options: RankerOptions) -> "GetRanker":
        """Open the model of a folder or of the hub; `,context=5` at the end adds sentences on each side."""
        model, context = without_context(argument)
        return cls.of_folder(model, context_sentences=context)

    @classmethod
    def of_folder(
        cls, name: str | Path, tokenizer: str | Path | None = None, context_sentences: int = 0
    ) -> "GetRanker":
        """Open a Hugging Face folder or id; `tokenizer` names another one, for weights without their own."""
        require_torch(f"running {name}")
        from linkspot.encoders.torch_encoder import load_tokenizer

        model = _loaded(str(name))
        return cls(model, load_tokenizer(tokenizer or name), context_sentences)

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one mean log-likelihood per candidate."""
        return self.score_some(entity, article, range(len(article.sentences)))

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
        """Return the likelihoods of the candidates with these numbers; no others are read."""
        return Scores(self._likelihoods(entity, self._passages(article, numbers)), _NOWHERE)

    def score_texts(self, entity: Entity, texts: Sequence[str]) -> tuple[float, ...]:
        """Return one mean log-likelihood per text, each read from its beginning as far as the network reads."""
        return self._likelihoods(entity, self._ids(texts, self._longest))

    def _passages(self, article: Article, numbers: Sequence[int]) -> list[Ids]:
        """Return the tokens of candidates, each with as much of its context as leaves its own sentence whole."""
        ids_of: dict[int, Ids] = {}
        for context in range(self._context, -1, -1):
            left = [number for number in numbers if number not in ids_of]
            places = candidates(article, context)
            # One token more than there is room for shows that a text was cut.
            texts = self._ids([places[number].context for number in left], self._longest + (1 if context else 0))
            ids_of |= {number: ids for number, ids in zip(left, texts, strict=True) if len(ids) <= self._longest}
        return [ids_of[number] for number in numbers]

    def _ids(self, texts: Sequence[str], most: int) -> list[Ids]:
        if not texts:
            return []
        whole = [with_whole_characters(text) for text in texts]
        return [tuple(ids) for ids in self._tokenizer(whole, truncation=True, max_length=most)["input_ids"]]

    def _likelihoods(self, entity: Entity, texts: Sequence[Ids]) -> tuple[float, ...]:
        title = self._tokenizer(
            text_target=with_whole_characters(entity.title.strip() or entity.names[0]),
            truncation=True,
            max_length=min(_LONGEST_TITLE, self._longest),
            return_special_tokens_mask=True,
        )
        own = [position for position, is_frame in enumerate(title["special_tokens_mask"]) if not is_frame]
        if not own:
            return (0.0,) * len(texts)
        different = [ids or (self._padding,) for ids in dict.fromkeys(texts)]
        costs = [max(len(ids), _WEIGHT * len(title["input_ids"])) for ids in different]
        likelihoods: dict[Ids, float] = {}
        for batch in batches(costs, MOST_TOKENS):
            ids, mask = padded([different[number] for number in batch], self._padding)
            scores = self._run(ids, mask, title["input_ids"])[:, own].mean(axis=1)
            likelihoods |= {different[number]: float(score) for number, score in zip(batch, scores, strict=True)}
        return tuple(likelihoods[ids or (self._padding,)] for ids in texts)

    def _run(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64], title: list[int]
    ) -> npt.NDArray[np.float64]:
        """Return the log-likelihood of each of the title's tokens after those before it: (texts, tokens)."""
        import torch

        device = self._model.device
        labels = torch.tensor([title] * len(ids), device=device)  # (texts, tokens)
        tensors = {"input_ids": ids, "attention_mask": mask}
        with torch.inference_mode():
            answer = self._model(
                **{name: torch.from_numpy(array).to(device) for name, array in tensors.items()}, labels=labels
            )
            logs = answer.logits.float().log_softmax(-1)  # (texts, tokens, vocabulary)
        likelihoods: npt.NDArray[np.float64] = logs.gather(2, labels[..., None]).squeeze(-1).double().cpu().numpy()
        return likelihoods

    @property
    def _padding(self) -> int:
        return int(self._tokenizer.pad_token_id or 0)


def _loaded(name: str) -> "PreTrainedModel":
    import torch
    from transformers import AutoConfig, AutoModelForSeq2SeqLM

    from linkspot.encoders.torch_encoder import check_reachable, quiet

    check_reachable(name)
    make: Any = AutoModelForSeq2SeqLM  # transformers' loaders have no types
    try:
        with quiet():
            config = AutoConfig.from_pretrained(name)
            if not getattr(config, "is_encoder_decoder", False):
                raise UnusableInput(
                    f"{name} is a {config.model_type} model, which cannot write text; expected an encoder-decoder, "
                    "such as BART, T5 or mBART"
                )
            model, loading = make.from_pretrained(name, config=config, dtype=torch.float32, output_loading_info=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise UnusableInput(f"{name} is not a model that transformers can read: {first_line(error)}") from None
    missing = sorted(loading["missing_keys"])
    if missing:
        raise UnusableInput(
            f"{name} lacks {len(missing)} of its weights, for example {missing[0]}; expected a complete model, with "
            "the layer that writes words"
        )
    loaded: PreTrainedModel = model.eval()
    return loaded
