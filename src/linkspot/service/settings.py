"""The settings of the service; `linkspot serve` reads them from flags, the environment and a TOML file."""

from dataclasses import dataclass, field
from pathlib import Path

from linkspot.corpora.wiki.page_address import host_of
from linkspot.errors import UnknownRanker, UnusableInput
from linkspot.limits import LIMITS, Limits
from linkspot.machine import usable_cores
from linkspot.ranking.ranker import DEFAULT_RANKER, SHIPPED, is_model

WIKIPEDIA = "wikipedia"


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """The most that one request may ask for, and that all of them may take."""

    body_bytes: int = 512 * 1024
    """The body of a request, after decompression; also the markup of a page."""

    sentences: int = 2_000
    """The sentences of a page: twice those of the longest articles that people read."""

    sentence_links: int = 200
    """The links of one sentence."""

    mentions: int = 20
    """The mentions of a target."""

    mention_characters: int = 200
    """The characters of a mention."""

    title_bytes: int = 255
    """The bytes of a title: MediaWiki's own limit."""

    lead_bytes: int = 4_096
    """The bytes of a target's lead; models read its first 128 tokens."""

    translations: int = 5
    """The translations of a page that one request may bring."""

    targets: int = 50
    """The targets of one page."""

    batch: int = 500
    """The answers of one batch."""

    top: int = 20
    """The places of an answer."""

    seconds: float = 10.0
    """The time to parse and rank one page; a worker that needs more is killed."""

    memory_bytes: int = 1_500_000_000
    """The memory of a worker; one that takes more is killed."""

    waiting: int = 32
    """The requests that may wait for a worker; the next one is told to come back later."""

    waiting_seconds: float = 30.0
    """The time that a request may wait for a worker."""

    requests_a_minute: int = 60
    """The requests of one address in a minute; 0 is without limit."""

    fetches_a_minute: int = 10
    """Those requests of one address in a minute that read from a wiki; 0 is without limit."""

    wiki_bytes: int = 10_000_000
    """An answer of a wiki, after decompression."""

    wiki_seconds: float = 10.0
    """The time for one answer of a wiki."""

    recycled_after: int = 1_000
    """The requests after which a worker makes way for a new one."""

    def of_page(self) -> Limits:
        """Return the limits for reading a page and asking a wiki: linkspot's own, or the stricter ones of these."""
        return Limits(
            page_bytes=min(LIMITS.page_bytes, max(self.body_bytes, self.wiki_bytes)),
            page_sentences=min(LIMITS.page_sentences, self.sentences),
            sentence_links=min(LIMITS.sentence_links, self.sentence_links),
            answer_bytes=min(LIMITS.answer_bytes, self.wiki_bytes),
            answer_seconds=min(LIMITS.answer_seconds, self.wiki_seconds),
        )


@dataclass(frozen=True, slots=True)
class WikiSettings:
    """A wiki that the service may read: the address of its api.php, its names, and the index of its pages.

    `project` and `domain` are its names for the clients of linkrecommendation: `wikipedia` and `bat_smg`, for example.
    """

    api: str
    name: str = ""
    project: str = ""
    domain: str = ""
    index: Path | None = None

    def __post_init__(self) -> None:
        labels = self.host.partition(":")[0].split(".")
        is_wikimedia = len(labels) > 2 and labels[-1] == "org"
        object.__setattr__(self, "name", self.name or self.host)
        object.__setattr__(self, "project", self.project or (labels[-2] if is_wikimedia else "wiki"))
        object.__setattr__(self, "domain", self.domain or (labels[0] if is_wikimedia else self.name).replace("-", "_"))

    @property
    def host(self) -> str:
        """The host of the wiki, with its port."""
        return host_of(self.api)

    @property
    def names(self) -> frozenset[str]:
        """The names by which requests may call the wiki; `swwiki` is the one of sw.wikipedia.org at Wikimedia."""
        names = {self.name, self.host, f"{self.project}/{self.domain}"}
        return frozenset(names | ({f"{self.domain}wiki"} if self.project == WIKIPEDIA else set()))


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How the service runs; nothing of it changes while it does.

    `ranker` is a ranker's name or a model's folder, and `model_name` is what clients of KServe call it. `database` is
    SQLAlchemy's address of the place for decisions, in SQLite by default. Answers are kept in memory, and in
    `cache_folder` if there is one. `secret` signs and encrypts what browsers keep for the service.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    ranker: str = DEFAULT_RANKER
    model_name: str = "linkspot"
    wikis: tuple[WikiSettings, ...] = ()
    has_samples: bool = True
    database: str = "sqlite:///linkspot.sqlite"
    cache_folder: Path | None = None
    cache_memory_bytes: int = 64_000_000
    cache_disk_bytes: int = 1_000_000_000
    workers: int = field(default_factory=usable_cores)
    secret: str = field(default="", repr=False)
    contact: str = ""
    threshold: float = 0.5
    trusted_proxies: tuple[str, ...] = ()
    limits: ServiceLimits = field(default_factory=ServiceLimits)

    def __post_init__(self) -> None:
        if is_model(self.ranker) and self.ranker != SHIPPED and not Path(self.ranker).is_dir():
            raise UnknownRanker(f"no ranker is called {self.ranker!r}, and it is not a model's folder")
        if self.workers < 1:
            raise UnusableInput(f"the service needs at least 1 worker, not {self.workers}")
        if not 0 <= self.threshold <= 1:
            raise UnusableInput(f"a threshold is between 0 and 1, not {self.threshold}")
        if self.wikis and not self.contact.strip():
            raise UnusableInput("a wiki wants to know who reads it; give a mail or web address as --contact")
        names = [name for wiki in self.wikis for name in wiki.names]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UnusableInput(f"two wikis are called {twice[0]!r}; give each a name of its own")

    def wiki(self, name: str) -> WikiSettings | None:
        """Return the wiki that has this name, None if the service may not read it."""
        return next((wiki for wiki in self.wikis if name in wiki.names), None)
