"""Progress that a test can read afterwards."""

from dataclasses import dataclass, field

from linkspot.progress import StageProgress


@dataclass
class StageNotes:
    """Notes all that is shown of one stage."""

    begun: float = 0.0
    shares: list[float] = field(default_factory=list)
    count: int = 0
    notes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def update(self, share: float, count: int, note: str = "") -> None:
        self.shares.append(share)
        self.notes.append(note)
        self.count = count

    def say(self, line: str) -> None:
        self.lines.append(line)


@dataclass
class ProgressNotes:
    """Notes which parts and stages begin, and how far each comes; a run can be stopped in the stage of a name."""

    stop_in: str = ""
    parts: list[str] = field(default_factory=list)
    stages: dict[str, StageNotes] = field(default_factory=dict)

    def part(self, name: str, /) -> None:
        self.parts.append(name)

    def stage(self, name: str, /, begun: float = 0.0) -> StageProgress:
        if name == self.stop_in:
            raise KeyboardInterrupt
        self.stages[name] = StageNotes(begun)
        return self.stages[name]

    @property
    def finished(self) -> list[str]:
        return [name for name, stage in self.stages.items() if stage.shares[-1:] == [1.0]]
