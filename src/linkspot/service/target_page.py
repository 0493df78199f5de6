"""What a wiki's page says of a target: its title as the wiki spells it, its lead, its redirects, its id."""

from dataclasses import dataclass, replace

from linkspot.answers.target import entity_of
from linkspot.parsing import parse
from linkspot.records import Entity, Page
from linkspot.service.settings import ServiceLimits
from linkspot.service.worker_process import Workplace

_BEGINNING = 50_000  # characters, in which the lead is


@dataclass(frozen=True, slots=True)
class TargetPageTask:
    """A page of a wiki that is a target; it is parsed in a worker, as all pages are."""

    page: Page
    limits: ServiceLimits

    def run(self, _workplace: Workplace) -> Entity:
        """Return the target."""
        known = entity_of(parse(replace(self.page, text=self.page.text[:_BEGINNING])))
        lead = known.lead.encode()[: self.limits.lead_bytes].decode(errors="ignore")
        return replace(known, lead=lead, mentions=self.page.redirects[: self.limits.mentions], id=self.page.entity)
