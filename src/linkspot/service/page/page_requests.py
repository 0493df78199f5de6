"""What the page asks the service: an answer, an edit, a decision; checked before any work is done."""

from pydantic import Field, model_validator

from linkspot.answers.samples import SAMPLES
from linkspot.records import Action
from linkspot.service.decisions.decision import Decision, EditorVerdict, RejectionReason
from linkspot.service.requests import PageRequest, RequestBody, TargetRequest
from linkspot.service.settings import ServiceLimits

_LARGEST = 2**31


class Question(RequestBody):
    """Where does the link belong: a page and a target, or the number of a sample."""

    sample: int | None = Field(default=None, ge=0, lt=len(SAMPLES))
    page: PageRequest | None = None
    target: TargetRequest | None = None
    anyway: bool = False

    @model_validator(mode="after")
    def _is_complete(self) -> "Question":
        if self.sample is None and (self.page is None or self.target is None):
            raise ValueError("a question has a page and a target, or the number of a sample")
        return self

    def check(self, limits: ServiceLimits) -> None:
        """Raise TooLarge if the target is over a limit; the service checks the page."""
        if self.target:
            self.target.check(limits)


class EditQuestion(Question):
    """The edit at one sentence; see `EditTask`."""

    section: int = Field(ge=0, lt=_LARGEST)
    sentence: int = Field(ge=0, lt=_LARGEST)
    action: Action = Action.LINK_WORDS
    start: int = Field(default=0, ge=0, lt=_LARGEST)
    end: int = Field(default=0, ge=0, lt=_LARGEST)
    text: str = Field(default="", max_length=20_000)

    @model_validator(mode="after")
    def _has_a_target(self) -> "EditQuestion":
        if self.target is None:
            raise ValueError("an edit has a target")
        return self


class DecisionRequest(RequestBody):
    """A decision, all but who made it and when."""

    id: str
    verdict: EditorVerdict
    page: str
    target: str
    wiki: str = ""
    revision: int = 0
    section: str = ""
    sentence: str = ""
    start: int = 0
    end: int = 0
    rank: int = 1
    action: str = Field(default="", max_length=40)
    probability: float | None = None
    words: str = ""
    before: str = ""
    after: str = ""
    reason: RejectionReason | None = None
    note: str = ""

    def decision(self, session: str, model: str) -> Decision:
        """Return the decision as it is stored; WrongValue if it cannot be."""
        return Decision(session=session, model=model, **self.model_dump())


class UndoRequest(RequestBody):
    """The id of the decision that is undone."""

    id: str = Field(max_length=64)
