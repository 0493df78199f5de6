"""Shapes of pages that a careless program reads in a time that grows with the square of their length."""

from collections.abc import Callable

from linkspot.records import Entity, Markup

Shape = tuple[Markup, Callable[[int], str]]
_WIKI, _HTML, _MARKDOWN = Markup.WIKITEXT, Markup.HTML, Markup.MARKDOWN


def _words(n: int) -> str:
    return " ".join(f"word{number}" for number in range(n))


#: Each is a text of about n pieces.
PAGES: dict[str, Shape] = {
    "plain sentences": (_WIKI, lambda n: "The dog barks. " * n),
    "paragraphs": (_WIKI, lambda n: "The dog barks at the moon.\n\n" * n),
    "sections": (_WIKI, lambda n: "== Foo ==\nA dog barks.\n" * n),
    "one long sentence": (_WIKI, lambda n: _words(3 * n)),
    "one long word": (_WIKI, lambda n: "a" * 10 * n),
    "one long paragraph of digits": (_WIKI, lambda n: "1. 2) " * n),
    "many capitals": (_WIKI, lambda n: "A. B. C. " * n),
    "open quotation marks": (_WIKI, lambda n: 'He said "no. ' * n),
    "open brackets of prose": (_WIKI, lambda n: "(so. " * n),
    "mentions in one sentence": (_WIKI, lambda n: "foo bar, " * n),
    "mentions in many sentences": (_WIKI, lambda n: "A foo bar barks. " * n),
    "mentions beside apostrophes": (_WIKI, lambda n: "Foo' bar, " * n),
    "mentions beside brackets": (_WIKI, lambda n: "[Foo] is it, " * n),
    "mentions in bold": (_WIKI, lambda n: "'''Foo''' barks. " * n),
    "mentions with notes": (_WIKI, lambda n: "Foo<ref>x</ref> barks, " * n),
    "linked mentions": (_WIKI, lambda n: "[[Dog|Foo]] barks. " * n),
    "links and mentions": (_WIKI, lambda n: "[[a]] Foo. " * n),
    "links in one sentence": (_WIKI, lambda n: "[[a]], " * n),
    "different links in one sentence": (_WIKI, lambda n: "".join(f"[[a{number}]], " for number in range(n))),
    "different links in many sentences": (_WIKI, lambda n: "".join(f"A [[a{number}]] ran. " for number in range(n))),
    "links with folders": (_WIKI, lambda n: "".join(f"[[en/a/b{number}|en/a/b{number}]] " for number in range(n))),
    "links to the target": (_WIKI, lambda n: "A [[Foo]] barks. " * n),
    "links escaped again and again": (_WIKI, lambda n: f"[[%{'25' * 400}41]] ran. " * (n // 40)),
    "links around one sentence each": (_WIKI, lambda n: "[[a|A dog. A cat.]] " * n),
    "an external link over all": (_WIKI, lambda n: "[https://a.example " + "A [[b]] ran. " * n + "]"),
    "open links": (_WIKI, lambda n: "[[a " * n),
    "open templates": (_WIKI, lambda n: "{{a " * n),
    "templates in a row": (_WIKI, lambda n: "{{a}} b. " * n),
    "apostrophes": (_WIKI, lambda n: "''a'''b''''c " * n),
    "comments": (_WIKI, lambda n: "a <!-- b --> Foo " * n),
    "list items": (_WIKI, lambda n: "* [[a]] Foo\n" * n),
    "alphabetical list": (_WIKI, lambda n: "".join(f"* Foo{number:06}\n" for number in range(n))),
    "marks over one letter": (_WIKI, lambda n: "Foo e" + "\u0301\u0327" * 4 * n),
    "open links behind other signs": (_WIKI, lambda n: "__TOC__][[</div>" * n + "Foo" * n),
    "Chinese": (_WIKI, lambda n: "狗叫，月亮很圆。" * n),
    "Chinese mentions": (_WIKI, lambda n: "福，" * n),
    "Thai": (_WIKI, lambda n: "สุนัขเห่าดวงจันทร์ " * n),
    "Arabic": (_WIKI, lambda n: "وكتب الكتاب. " * n),
    "paragraphs of HTML": (_HTML, lambda n: "<p>A Foo barks.</p>" * n),
    "links of HTML": (_HTML, lambda n: "<p>" + '<a href="./b">a</a> Foo. ' * n),
    "bold of HTML": (_HTML, lambda n: "<p>" + "<b>Foo</b> bar. " * n),
    "open tags of HTML": (_HTML, lambda n: "<p>Foo. " + "<a href=" * n),
    "mentions in Markdown": (_MARKDOWN, lambda n: "Foo barks. " * n),
    "risky mentions in Markdown": (_MARKDOWN, lambda n: "!foo, " * n),
    "links in Markdown": (_MARKDOWN, lambda n: "[a](b.md) Foo.\n\n" * n),
    "items in Markdown": (_MARKDOWN, lambda n: "- Foo barks\n" * n),
}

#: Each is a page before and after an edit, without the link that the edit added.
EDITS: dict[str, Callable[[int], tuple[str, str]]] = {
    "every second sentence is new": lambda n: (
        "".join(f"Old number {number} stays. " for number in range(n)),
        "".join(f"Old number {number} stays. Dogs bark {number} times loud. " for number in range(n)),
    ),
    "every sentence is edited": lambda n: (
        "".join(f"Old number {number} stays where it is. " for number in range(n)),
        "".join(f"Old number {number} stays where it stood. " for number in range(n)),
    ),
    "the same sentence again and again": lambda n: ("A dog ran. " * n, "A dog ran. " * (n + n // 3)),
    "sentences in reverse": lambda n: (
        "".join(f"Old number {number} stays. " for number in range(n)),
        "".join(f"Old number {number} stays. " for number in range(n, 0, -1)),
    ),
    "every second word of one sentence is new": lambda n: (
        _words(n),
        " ".join(f"word{number} more{number}" for number in range(n)),
    ),
    "links of one sentence are gone": lambda n: ("".join(f"[[a{number}]] b, " for number in range(n)), "a0 b, " * n),
    "links move into the prose": lambda n: (
        "{{box|" + "".join(f"[[a{number}]]" for number in range(n)) + "}}\nA dog ran. ",
        "".join(f"A [[a{number}]] ran. " for number in range(n)),
    ),
    "templates inside of one another": lambda n: ("A dog ran. " + "{{a" * n + "}}" * n, "A dog ran. {{a" * n),
}

TARGET = Entity("Foo", "A foo is a dog that barks at the moon, in most books.", ("foo bar", "福"))
