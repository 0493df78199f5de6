"""One stage of training: its steps, each a batch of examples, on one processor or many."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from linkspot.errors import UnusableInput
from linkspot.model.cross.network import Network
from linkspot.model.encoder_inputs import EncoderInput
from linkspot.training.logs import StepReport
from linkspot.training.losses import LOSSES
from linkspot.training.optimizer import fit_for_bf16, freeze, frozen_modules, optimizer_of
from linkspot.training.stages import Stage
from linkspot.training.training_examples import InputSource

if TYPE_CHECKING:
    from accelerate import Accelerator


@dataclass(frozen=True)
class Position:
    """Where a training is: after which step of which stage, and what that step did."""

    stage: int
    step: int
    report: StepReport
    optimizer: torch.optim.Optimizer


@dataclass(frozen=True)
class StageRun:
    """A stage with what it needs to run: the network, the examples, the seed."""

    number: int
    stage: Stage
    network: Network
    examples: InputSource
    accelerator: "Accelerator"
    seed: int
    bf16: bool = False

    @property
    def steps_per_epoch(self) -> int:
        """How many steps an epoch has."""
        return -(-len(self.examples) // self.stage.batch)

    @property
    def steps(self) -> int:
        """How many steps the stage has."""
        return self.steps_per_epoch * self.stage.epochs

    def run(self, begin: int, optimizer_state: Mapping[str, Any], after: Callable[[Position], None]) -> None:
        """Take the steps from `begin` on; `after` is called after each of them."""
        freeze(self.network, self.stage)
        if self.bf16:
            fit_for_bf16(self.network.encoder)
        optimizer = optimizer_of(self.network, self.stage)
        if optimizer_state:
            optimizer.load_state_dict(dict(optimizer_state))
        network, prepared = self.accelerator.prepare(self.network, optimizer)
        learned, frozen = 0, frozen_modules(self.network)
        for step in range(begin, self.steps):
            epoch, step_of_epoch = divmod(step, self.steps_per_epoch)
            if step == begin or step_of_epoch == 0:
                order = self._order(epoch)
            self._seed_dropout(step)
            network.train()
            for module in frozen:
                module.eval()
            for group in optimizer.param_groups:
                group["lr"] = group["full_rate"] * self.stage.rate(step, self.steps)
            loss, examples = self._step(network, prepared, self._batch(order, epoch, step_of_epoch))
            learned += examples
            if not learned and step + 1 == begin + self.steps_per_epoch:
                raise UnusableInput(
                    f"stage {self.stage.name!r} learns nothing: none of its {len(self.examples):,} examples has a "
                    "right place and wrong ones that do not name the target"
                )
            rate = self.stage.encoder_rate * self.stage.rate(step, self.steps)
            report = StepReport(self.stage.name, step + 1, self.steps, loss, rate, examples)
            after(Position(self.number, step + 1, report, optimizer))

    def _seed_dropout(self, step: int) -> None:
        """Make dropout depend on the step alone, so that a run that was stopped continues as it would have."""
        process = self.accelerator.process_index
        torch.manual_seed(random.Random(f"{self.seed}/{self.number}/{step}/{process}").getrandbits(63))

    def _order(self, epoch: int) -> list[int]:
        """Return the numbers of all examples in the order of an epoch."""
        order = list(range(len(self.examples)))
        random.Random(f"{self.seed}/{self.number}/{epoch}").shuffle(order)
        return order

    def _batch(self, order: list[int], epoch: int, step_of_epoch: int) -> list[list[EncoderInput]]:
        """Return the inputs of each of this process' part of a step's examples."""
        batch = order[step_of_epoch * self.stage.batch : (step_of_epoch + 1) * self.stage.batch]
        numbers = batch[self.accelerator.process_index :: self.accelerator.num_processes]
        examples = (
            self.examples.encoder_inputs(number, random.Random(f"{self.seed}/{self.number}/{epoch}/{number}"))
            for number in numbers
        )
        return [encoder_inputs for encoder_inputs in examples if encoder_inputs]

    def _step(
        self, network: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: list[list[EncoderInput]]
    ) -> tuple[float, int]:
        """Learn from a batch; returns the mean loss and the number of inputs over all processes."""
        accelerator = self.accelerator
        examples = int(self._total(sum(map(len, batch))))
        total = 0.0
        parts = list(_parts(batch, self.stage.at_once)) or [[]]
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

    def _loss(self, network: torch.nn.Module, encoder_inputs: Sequence[EncoderInput]) -> Tensor:
        """Return the sum of the examples' losses: a scalar."""
        if not encoder_inputs:  # the other processes wait for this one's gradients
            return torch.stack([parameter.sum() * 0 for parameter in network.parameters()]).sum()
        with torch.autocast(self.accelerator.device.type, torch.bfloat16, enabled=self.bf16):
            scores = network(encoder_inputs)
        loss = LOSSES[self.stage.loss]
        losses = [
            loss(logits.float(), example.gold, example.ignored, len(logits) > len(example.places))
            for logits, example in zip(scores, encoder_inputs, strict=True)
        ]
        return torch.stack(losses).sum()

    def _total(self, value: float) -> float:
        """Return the sum of a number over all processes."""
        number = torch.tensor(value, device=self.accelerator.device, dtype=torch.float64)
        return float(self.accelerator.reduce(number, "sum"))


def _parts(batch: list[list[EncoderInput]], size: int) -> Iterator[list[EncoderInput]]:
    """Yield the inputs of so many examples together."""
    return (list(chain.from_iterable(batch[start : start + size])) for start in range(0, len(batch), size))
