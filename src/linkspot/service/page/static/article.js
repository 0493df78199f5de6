// The article as readers see it: every sentence shaded, the places marked, and a map of them all.

import { characters, find, make, show, visible } from "./dom.js";
import { percent, say } from "./messages.js";

export function showArticle({ answer, text, shades }) {
  const places = new Map(answer.places.map((place) => [`${place.section.index} ${place.sentence.index}`, place]));
  const marks = [];
  const body = find("#article-text");
  body.replaceChildren(...text.sections.map((section, index) => sectionOf(section, index, places, marks)));
  find("#article-title").textContent = visible(answer.page.title) || say("page-label");
  for (const element of [body, find("#article-title")]) {
    element.dir = text.direction;
    element.lang = text.language;
  }
  find("#map").dir = text.direction;
  find("#map").replaceChildren(...marks);
  showScale(shades);
}

function sectionOf(section, index, places, marks) {
  const closed = section.sentences.length > 0 && section.sentences.every((sentence) => sentence.closed);
  const element = make("div", { className: closed ? "x" : undefined });
  if (section.title) {
    const note = closed ? make("small", { lang: document.documentElement.lang, dir: document.documentElement.dir }, ` ${say("closed")}`) : null;
    element.append(make(`h${Math.min(Math.max(section.level + 1, 3), 6)}`, {}, visible(section.title), note));
  }
  let paragraph = make("p");
  element.append(paragraph);
  section.sentences.forEach((sentence, number) => {
    if (sentence.paragraph && paragraph.childNodes.length) element.append((paragraph = make("p")));
    const shown = sentenceOf(sentence, places.get(`${index} ${number}`), `s${index}-${number}`);
    if (sentence.gap && paragraph.childNodes.length) paragraph.append(visible(sentence.gap));
    paragraph.append(shown);
    const name = `${shown.className}${places.has(`${index} ${number}`) ? " p" : ""}`;
    marks.push(make("a", { className: name || undefined, tabIndex: -1, onclick: () => show(shown) }));
  });
  return element;
}

function sentenceOf(sentence, place, id) {
  const names = [sentence.level ? `l${sentence.level}` : "", sentence.closed ? "x" : ""].filter(Boolean);
  const element = make("span", { id, className: names.join(" ") });
  const marked = place?.words ? [[place.words.start, place.words.end, undefined]] : [];
  for (const [start, end] of sentence.links ?? []) marked.push([start, end, "old"]);
  element.append(...withMarks(sentence.text, marked));
  if (place) {
    const label = `${say("go-to-place", place.rank)}: ${place.probability === null ? "" : percent(place.probability)}`;
    const badge = make("a", { className: "badge", href: `#card-${place.rank}`, id: `place-${place.rank}`, "aria-label": label }, String(place.rank));
    element.prepend(badge);
    if (place.action === "add_sentence") element.append(make("mark", {}, "+"));
  }
  return element;
}

// A sentence with some ranges of it marked; ranges that overlap are left out.
export function withMarks(text, ranges) {
  const letters = characters(text);
  const nodes = [];
  let end = 0;
  for (const [start, stop, name] of [...ranges].sort((one, other) => one[0] - other[0])) {
    if (start < end || stop > letters.length) continue;
    nodes.push(visible(letters.slice(end, start).join("")));
    nodes.push(make("mark", { className: name }, visible(letters.slice(start, stop).join(""))));
    end = stop;
  }
  return [...nodes, visible(letters.slice(end).join(""))];
}

function showScale({ steps, are_probabilities }) {
  const borders = [0, ...steps, 1];
  const words = steps.length ? borders.slice(0, -1).map((low, number) => `${percent(low)}–${percent(borders[number + 1])}`) : [];
  find("#scale").replaceChildren(...words.map((word, number) => make("li", { className: `l${number}` }, word)));
  for (const name of ["#scale", "#shades-help"]) find(name).hidden = !are_probabilities;
}
