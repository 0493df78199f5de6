"""The endings of files that are pages, and the markup that each stands for."""

from linkspot.records import Markup

SUFFIXES: dict[str, Markup] = {
    ".html": Markup.HTML,
    ".htm": Markup.HTML,
    ".xhtml": Markup.HTML,
    ".wiki": Markup.WIKITEXT,
    ".wikitext": Markup.WIKITEXT,
    ".mediawiki": Markup.WIKITEXT,
    ".md": Markup.MARKDOWN,
    ".mdx": Markup.MARKDOWN,
    ".markdown": Markup.MARKDOWN,
}
