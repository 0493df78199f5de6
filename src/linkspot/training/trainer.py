"""The trainer: one stage of steps, each a batch of items, on one processor or many."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from linkspot.encoders.torch_encoder import layers_of
from linkspot.errors import UnusableInput
from linkspot.model.cross.network import Network
from linkspot.model.encoder_inputs import EncoderInput
from linkspot.training.logs import StepReport
from linkspot.training.losses import LOSSES
from linkspot.training.stages import Stage

if TYPE_CHECKING:
    from accelerate import Accelerator


class InputSource(Protocol):
    """Numbered examples that become items, drawn anew each time."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def item(self, number: int, draw: random.Random) -> EncoderInput | None:
        """Return an example as an item, or None where nothing can be learned from it."""
        ...


@dataclass(frozen=True)
class StageRun:
    """A stage with what it needs to run: the network, its items, the seed."""

    number: int
    stage: Stage
    network: Network
    items: InputSource
    accelerator: "Accelerator"
    seed: int
    bf16: bool = False

    @property
    def steps_per_epoch(self) -> int:
        """How many steps an epoch has."""
        return -(-len(self.items) // self.stage.batch)

    @property
    def steps(self) -> int:
        """How many steps the stage has."""
        return self.steps_per_epoch * self.stage.epochs

    def run(self, begin: int, optimizer_state: Mapping[str, Any], after: Callable[["Position"], None]) -> None:
        """Take the steps from `begin` on; `after` is called behind each of them."""
        _freeze(self.network, self.stage)
        if self.bf16 and self.accelerator.device.type == "cpu":
            # On a processor, torch's own attention takes 1.2 times as long in bf16, most of it on the way back.
            self.network.encoder.set_attn_implementation("eager")
        optimizer = _optimizer(self.network, self.stage)
        if optimizer_state:
            optimizer.load_state_dict(dict(optimizer_state))
        network, prepared = self.accelerator.prepare(self.network, optimizer)
        learned, resting = 0, _resting(self.network)
        for step in range(begin, self.steps):
            epoch, place = divmod(step, self.steps_per_epoch)
            if step == begin or place == 0:
                order = self._order(epoch)
            self._seed_chance(step)
            network.train()
            for module in resting:
                module.eval()
            for group in optimizer.param_groups:
                group["lr"] = group["full_rate"] * self.stage.rate(step, self.steps)
            loss, examples = self._step(network, prepared, self._batch(order, epoch, place))
            learned += examples
            if not learned and step + 1 == begin + self.steps_per_epoch:
                raise UnusableInput(
                    f"stage {self.stage.name!r} learns nothing: none of its {len(self.items):,} examples has a right "
                    "place and wrong ones that do not name the target"
                )
            rate = self.stage.encoder_rate * self.stage.rate(step, self.steps)
            report = StepReport(self.stage.name, step + 1, self.steps, loss, rate, examples)
            after(Position(self.number, step + 1, report, optimizer))

    def _seed_chance(self, step: int) -> None:
        """Make dropout depend on the step alone, so that a run that was stopped goes on as it would have."""
        process = self.accelerator.process_index
        torch.manual_seed(random.Random(f"{self.seed}/{self.number}/{step}/{process}").getrandbits(63))

    def _order(self, epoch: int) -> list[int]:
        """Return the numbers of all examples as they come in an epoch."""
        order = list(range(len(self.items)))
        random.Random(f"{self.seed}/{self.number}/{epoch}").shuffle(order)
        return order

    def _batch(self, order: list[int], epoch: int, place: int) -> list[EncoderInput]:
        """Return this process' part of the items of a step."""
        batch = order[place * self.stage.batch : (place + 1) * self.stage.batch]
        mine = batch[self.accelerator.process_index :: self.accelerator.num_processes]
        drawn = (self.items.item(n, random.Random(f"{self.seed}/{self.number}/{epoch}/{n}")) for n in mine)
        return [item for item in drawn if item is not None]

    def _step(
        self, network: torch.nn.Module, optimizer: torch.optim.Optimizer, items: list[EncoderInput]
    ) -> tuple[float, int]:
        """Learn from a batch; returns the mean loss and the number of examples over all processes."""
        accelerator = self.accelerator
        examples = int(self._total(len(items)))
        total = 0.0
        parts = list(_parts(items, self.stage.at_once)) or [[]]
        for number, part in enumerate(parts):
            is_last = number == len(parts) - 1
            with nullcontext() if is_last else accelerator.no_sync(network):
                loss = self._loss(network, part) / max(1, examples)
                total += float(loss.detach())
                # Processes average their gradients, so each counts as often as there are processes.
                accelerator.backward(loss * accelerator.num_processes)
        if self.stage.clip:
            accelerator.clip_grad_norm_(network.parameters(), self.stage.clip)
        optimizer.step()
        optimizer.zero_grad()
        return self._total(total), examples

    def _loss(self, network: torch.nn.Module, items: Sequence[EncoderInput]) -> Tensor:
        """Return the sum of the items' losses: a scalar."""
        if not items:  # the other processes wait for this one's gradients
            return torch.stack([parameter.sum() * 0 for parameter in network.parameters()]).sum()
        with torch.autocast(self.accelerator.device.type, torch.bfloat16, enabled=self.bf16):
            scores = network(items)
        loss = LOSSES[self.stage.loss]
        losses = [
            loss(of_item.float(), item.gold, item.ignored, len(of_item) > len(item.places))
            for of_item, item in zip(scores, items, strict=True)
        ]
        return torch.stack(losses).sum()

    def _total(self, value: float) -> float:
        number = torch.tensor(value, device=self.accelerator.device, dtype=torch.float64)
        return float(self.accelerator.reduce(number, "sum"))


@dataclass(frozen=True)
class Position:
    """Where a run stands: behind which step of which stage, and what that step did."""

    stage: int
    step: int
    report: StepReport
    optimizer: torch.optim.Optimizer


def _parts(items: list[EncoderInput], size: int) -> Iterator[list[EncoderInput]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _optimizer(network: Network, stage: Stage) -> torch.optim.Optimizer:
    """Return AdamW with a rate for the encoder and one for the heads; biases and norms do not decay."""
    groups = []
    for part, rate in ((network.encoder, stage.encoder_rate), (network.heads, stage.head_rate)):
        learning = [parameter for parameter in part.parameters() if parameter.requires_grad]
        for is_matrix in (True, False):
            chosen = [parameter for parameter in learning if (parameter.ndim > 1) == is_matrix]
            if chosen:
                decay = stage.weight_decay if is_matrix else 0.0
                groups.append({"params": chosen, "lr": rate, "full_rate": rate, "weight_decay": decay})
    return torch.optim.AdamW(groups)


def _freeze(network: Network, stage: Stage) -> None:
    """Let all parameters learn but those that the stage holds fast."""
    for parameter in network.parameters():
        parameter.requires_grad_(True)
    held = list(network.encoder.get_input_embeddings().parameters()) if stage.frozen_embeddings else []
    if stage.frozen_layers:
        layers = layers_of(network.encoder)
        if stage.frozen_layers > len(layers):
            raise UnusableInput(f"{stage.frozen_layers} layers are to be frozen, but the encoder has {len(layers)}")
        held += [*_below(network.encoder, layers), *layers[: stage.frozen_layers].parameters()]
    for parameter in held:
        parameter.requires_grad_(False)


def _resting(network: Network) -> list[torch.nn.Module]:
    """Return what does not learn; it drops nothing, which would take time, and teach the rest to do without it."""
    learning = (
        (module, [parameter.requires_grad for parameter in module.parameters()]) for module in network.modules()
    )
    return [module for module, flags in learning if flags and not any(flags)]


def _below(encoder: torch.nn.Module, layers: torch.nn.ModuleList) -> Iterator[torch.nn.Parameter]:
    """Yield what comes before the layers: if it learned, gradients would have to go through those that do not."""
    of_layers = {id(parameter) for parameter in layers.parameters()}
    return takewhile(lambda parameter: id(parameter) not in of_layers, encoder.parameters())
