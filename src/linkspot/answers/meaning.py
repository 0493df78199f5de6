"""Meaning: whether the passage around some words shows that they mean this target and not something else."""

from dataclasses import dataclass, field, replace
from itertools import islice

from linkspot.examples.candidates import Candidate
from linkspot.records import Entity
from linkspot.text.ambiguous_words import is_ambiguous
from linkspot.text.content_words import content_words
from linkspot.text.inflections import are_forms
from linkspot.text.mentions import Exactness, Forms, Mention, MentionFinder, known_names, shared_name
from linkspot.text.words import bare
from linkspot.text.words import words as words_of

_BEGINNING = 2  # letters that all forms of a word share
_ENOUGH_FOR_DERIVED = 2  # words of the lead beside a derived word, which is often another page's title


@dataclass(slots=True)
class Meaning:
    """What a target is about, by its title and lead, in the words of a page's language."""

    entity: Entity
    language: str
    _derived: MentionFinder = field(init=False)
    _content: frozenset[str] = field(init=False)  # words that a reader would recognise

    def __post_init__(self) -> None:
        self._derived = MentionFinder(known_names(self.entity, self.language), self.language, Forms.DERIVED)
        told = f"{self.entity.title} {self.entity.lead}"
        self._content = frozenset(self._words(" ".join(content_words(told, self.language))))

    def fits(self, mention: Mention, candidate: Candidate) -> bool:
        """Return whether the passage is about this target; asked of words that may well mean something else."""
        return not self._may_mean_another(mention, candidate.sentence.text) or self.is_shown(mention, candidate, 1)

    def derived_words(self, candidate: Candidate) -> list[Mention]:
        """Return the words in a candidate's sentence, which has no other mention, that are derived from a name."""
        return [
            replace(mention, exactness=Exactness.DERIVED)
            for mention in self._derived.find(candidate.sentence.text)
            if self.is_shown(mention, candidate, _ENOUGH_FOR_DERIVED)
        ]

    def is_shown(self, mention: Mention, candidate: Candidate, least: int) -> bool:
        """Return whether the passage has that many words of the target's title and lead besides the mention's own."""
        own = {*self._words(mention.name), *self._words(mention.span.cut(candidate.sentence.text))}
        language, context = self.language, set(self._words(candidate.context)) - own
        said = [bare(word, language) for word in self._content - own]
        beginnings = tuple({word[:_BEGINNING] for word in said})
        around = [word for word in (bare(word, language) for word in context) if word.startswith(beginnings)]
        shared = (word for word in said if any(are_forms(word, other, language) for other in around))
        return len(list(islice(shared, least))) == least

    def _may_mean_another(self, mention: Mention, text: str) -> bool:
        if mention.name == shared_name(self.entity.title) and mention.name not in self.entity.mentions:
            return True
        is_single = len(mention.name.split()) == 1
        return is_single and bool(self.entity.lead) and is_ambiguous(mention, text, self.language)

    def _words(self, text: str) -> list[str]:
        return words_of(text, self.language)
