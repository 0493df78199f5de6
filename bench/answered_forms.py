"""What an answer claims: known forms, and derived words where the passage shows that they mean the target."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from bench.form_pairs import FormPair, words_of_name
from linkspot.answers.meaning import Meaning
from linkspot.examples.candidates import Candidate, candidates
from linkspot.links.titles import TitleRules
from linkspot.parsing import parse
from linkspot.records import Article, Entity, LinkKind, Page
from linkspot.text.mentions import Exactness, Forms, MentionFinder, known_names


class AnsweredForms:
    """Says of pairs whether an answer on one of the pages that link the title would claim the words."""

    def __init__(self, pages: Iterable[Page], everything: Iterable[Page], language: str) -> None:
        self._language, rules = language, TitleRules(language)
        self._linking: defaultdict[str, list[tuple[str, Article]]] = defaultdict(list)  # name -> title, page
        titles: set[str] = set()
        for article in (parse(page) for page in pages if not page.redirect):
            links = (link for section in article.sections for link in section.links if link.kind is LinkKind.PAGE)
            of_page = {rules.normalise(link.target).page.text.rsplit("/", 1)[-1] for link in links} - {""}
            titles |= of_page
            for title in of_page:
                for name in known_names(Entity(title), language):
                    self._linking[words_of_name(name)].append((title, article))
        self._leads = dict(_leads(everything, titles, rules))

    def claims(self, pair: FormPair, language: str) -> bool:
        """Return whether the words are a known form of the title, or are claimed somewhere as derived from it."""
        if _is_found(pair, language, Forms.KNOWN):
            return True
        if not _is_found(pair, language, Forms.DERIVED):
            return False
        return any(self._is_claimed(pair, title, article) for title, article in self._linking[pair.name])

    def _is_claimed(self, pair: FormPair, title: str, article: Article) -> bool:
        meaning = Meaning(Entity(title, self._leads.get(title, "")), self._language)
        last = pair.words.split()[-1]
        places = (place for place in candidates(article) if last in place.sentence.text)
        return any(_has(pair, meaning, place) for place in places)


def _has(pair: FormPair, meaning: Meaning, place: Candidate) -> bool:
    written = (mention.span.cut(place.sentence.text) for mention in meaning.derived_words(place))
    return any(words_of_name(words) == pair.words for words in written)


def _is_found(pair: FormPair, language: str, forms: Forms) -> bool:
    mentions = MentionFinder([pair.name], language, forms).find(pair.words)
    return any(mention.exactness is Exactness.NEAR for mention in mentions)


def _leads(pages: Iterable[Page], titles: set[str], rules: TitleRules) -> Iterator[tuple[str, str]]:
    for page in pages:
        title = rules.normalise(page.title).page.text.rsplit("/", 1)[-1]
        if title in titles and not page.redirect:
            yield title, parse(page).lead
