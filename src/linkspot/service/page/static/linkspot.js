// A user script for MediaWiki: "Where does the link belong?" on any page. It shades the sentences and opens the edit.
//
//   mw.loader.load("https://linkspot.example.org/linkspot.js");
//
// It asks the service that it comes from, and sends it the names of the page and of the target.
(() => {
  "use strict";

  const service = new URL(document.currentScript.src).origin;
  const LEVELS = ["transparent", "#e1f7e7", "#beedcd", "#98e2b1", "#6fd395", "#3cc078"];
  const CSS = `
.linkspot { position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem; z-index: 100; width: 22rem; max-width: calc(100vw - 2rem);
  max-height: 60vh; overflow: auto; padding: .8rem; color: #1b2430; background: #fdfcf9; border: 1px solid #545d68; border-radius: .5rem; }
.linkspot label, .linkspot input { display: block; width: 100%; box-sizing: border-box; }
.linkspot button, .linkspot input { min-height: 2.2rem; margin-block: .3rem; font: inherit; }
.linkspot ol { margin: .4rem 0 0 1.4rem; }
.linkspot a:focus-visible, .linkspot-shade:focus { outline: 3px solid #14633a; }
.linkspot-shade { color: #1b2430; }
${LEVELS.map((colour, level) => `.linkspot-l${level} { background: ${colour}; }`).join("\n")}`;
  let messages = {};

  function say(key, ...values) {
    return (messages[key] ?? key).replace(/\$(\d)/gu, (sign, number) => values[number - 1] ?? sign);
  }

  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  async function asked(path, parameters) {
    const response = await fetch(`${service}/page/${path}?${new URLSearchParams(parameters)}`, { credentials: "omit" });
    const content = await response.json();
    if (!response.ok) throw new Error(content?.error?.message ?? say("failed"));
    return content;
  }

  function panel() {
    const target = make("input", { id: "linkspot-target", maxlength: "255", dir: "auto" });
    const status = make("p", { role: "status" });
    const places = make("ol");
    const close = make("button", { type: "button", "aria-label": "×", onclick: () => end(box) }, "×");
    const label = make("label", { for: "linkspot-target" }, say("target-label"));
    const form = make("form", {}, label, target, make("button", {}, say("ask")), " ", close);
    const box = make("section", { class: "linkspot noprint", "aria-label": say("title") }, form, status, places);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(target.value.trim(), status, places);
    });
    document.body.append(box);
    target.focus();
  }

  function end(box) {
    unshade();
    box.remove();
  }

  async function answer(target, status, places) {
    if (!target) return;
    status.textContent = say("working");
    places.replaceChildren();
    unshade();
    const page = mw.config.get("wgPageName").replace(/_/gu, " ");
    const asking = { wiki: location.host, page, target, revision: mw.config.get("wgRevisionId") };
    try {
      const view = await asked("places", asking);
      status.textContent = verdict(view.answer, target);
      const shaded = shade(view);
      places.append(...view.answer.places.map((place) => item(place, shaded, { ...asking, target })));
    } catch (error) {
      status.textContent = error instanceof TypeError ? say("failed") : error.message;
    }
  }

  function verdict({ places, existing_links: existing, nowhere }, target) {
    if (existing.length) return say("verdict-linked", target);
    return nowhere || !places.length ? say("verdict-nowhere", target) : "";
  }

  function item(place, shaded, { wiki, page, target }) {
    const sure = place.probability === null ? "" : ` (${Math.round(place.probability * 100)} %)`;
    const element = shaded.get(`${place.section.index} ${place.sentence.index}`);
    const show = () => {
      element?.scrollIntoView({ block: "center" });
      element?.focus();
    };
    const address = `${service}/page?${new URLSearchParams({ wiki, page, target })}`;
    const edit = make("a", { href: address, target: "_blank", rel: "noopener" }, say("show-edit"));
    return make("li", {}, make("button", { type: "button", onclick: show }, `${say(`action-${place.action}`)}${sure}`), " ", edit);
  }

  // Sentences are looked for in the text of the page, one after another, whatever elements stand in between.
  function shade({ text }) {
    const letters = lettersOf(document.querySelector(".mw-parser-output"));
    const shaded = new Map();
    const ranges = [];
    let from = 0;
    text.sections.forEach((section, number) =>
      section.sentences.forEach((sentence, place) => {
        const wanted = sentence.text.replace(/\s+/gu, "");
        const at = letters.text.indexOf(wanted, from);
        if (at < 0 || !wanted) return;
        from = at + wanted.length;
        if (sentence.level) ranges.push([at, from, sentence.level, `${number} ${place}`]);
      }),
    );
    for (const [start, stop, level, name] of ranges.reverse()) shaded.set(name, wrap(letters, start, stop, level));
    return shaded;
  }

  // All letters of the prose without spaces, and where each stands. Headings, tables and notes are left out.
  function lettersOf(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const places = [];
    let text = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest("table, sup, figure, style, script, h2, h3, h4, .mw-editsection, .thumb, .navbox")) continue;
      for (let offset = 0; offset < node.data.length; offset++) {
        if (/\s/u.test(node.data[offset])) continue;
        text += node.data[offset];
        places.push([node, offset]);
      }
    }
    return { text, places };
  }

  function wrap({ places }, start, stop, level) {
    let first = null;
    for (let number = stop - 1, last = stop - 1; number >= start; number--) {
      const [node, offset] = places[number];
      if (number > start && places[number - 1][0] === node) continue;
      const range = document.createRange();
      range.setStart(node, offset);
      range.setEnd(node, places[last][1] + 1);
      first = make("span", { class: `linkspot-shade linkspot-l${level}`, tabindex: "-1" });
      range.surroundContents(first);
      last = number - 1;
    }
    return first;
  }

  function unshade() {
    for (const element of document.querySelectorAll(".linkspot-shade")) {
      const parent = element.parentNode;
      element.replaceWith(...element.childNodes);
      parent.normalize();
    }
  }

  async function start() {
    if (mw.config.get("wgAction") !== "view" || !mw.config.get("wgArticleId")) return;
    try {
      messages = await asked("messages", { lang: mw.config.get("wgUserLanguage") });
    } catch {
      return; // a service that is away leaves the wiki as it is
    }
    mw.util.addCSS(CSS);
    const link = mw.util.addPortletLink("p-tb", "#", say("title"), "t-linkspot");
    link?.addEventListener("click", (event) => {
      event.preventDefault();
      if (!document.querySelector(".linkspot")) panel();
    });
  }

  mw.loader.using("mediawiki.util").then(start);
})();
