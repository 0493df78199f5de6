// The page for editors: a question, the answer, and one decision after another.

import { showArticle } from "./article.js";
import { Card } from "./cards.js";
import { find, make, quoted, show, slot, visible, withParts } from "./dom.js";
import { percent, say } from "./messages.js";
import { Failure, post, search } from "./service.js";

let cards = [];
let question = null;
let decided = [];
let asking = 0;

async function ask(asked) {
  const number = ++asking;
  question = asked;
  find("#failure").textContent = "";
  find("#status").textContent = say("working");
  find("#ask").disabled = true;
  try {
    const view = await post("answer", asked);
    if (number === asking) showAnswer(view);
  } catch (error) {
    if (number === asking) fail(error);
  } finally {
    find("#ask").disabled = false;
    if (number === asking) find("#status").textContent = "";
  }
}

function fail(error) {
  if (!(error instanceof Failure)) throw error;
  find("#failure").textContent = visible(error.message);
}

function showAnswer(view) {
  const { answer } = view;
  showVerdict(view);
  const notes = answer.notes.map((note) => make("p", { className: "note", lang: "en", dir: "ltr" }, visible(note)));
  find("#notes").replaceChildren(...notes);
  find("#places").textContent = say("places", answer.places.length);
  find("#anyway").hidden = Boolean(answer.places.length || question.anyway);
  find("#answer").hidden = find("#map").hidden = false;
  find("#paste").open = false;
  showArticle(view);
  cards = answer.places.map((place) => new Card(place, view, question, { decide, undo }));
  find("#cards").replaceChildren(...cards.map((card) => card.element));
  show(find("#verdict"));
}

function showVerdict({ answer, text }) {
  const name = quoted(answer.target.title || answer.target.mentions[0] || "", text.language);
  const [best] = answer.places;
  if (!best || answer.nowhere || answer.existing_links.length) {
    const key = answer.existing_links.length ? "verdict-linked" : "verdict-nowhere";
    find("#verdict").replaceChildren(...withParts(say(key, slot(0)), [name]));
    return;
  }
  const where = best.section.title ? say("where-section", slot(2)) : say("where-lead");
  const sure = best.probability === null ? best.score.toFixed(2) : percent(best.probability);
  const key = { link_words: "verdict-link", add_to_sentence: "verdict-add", add_sentence: "verdict-sentence" }[best.action];
  const what = best.words ? quoted(best.words.text, text.language) : name;
  const parts = [what, null, quoted(best.section.title, text.language)];
  find("#verdict").replaceChildren(...withParts(say(key, slot(0), where, sure), parts));
}

// A decision is in the database before the next card is shown.
async function decide(card, values) {
  const { id } = await post("decide", values);
  decided.push({ id, card });
  countDecisions();
  if (values.verdict === "accepted") return; // the edit comes next
  const rest = [...cards.slice(cards.indexOf(card) + 1), ...cards];
  rest.find((one) => !one.isDecided && one !== card)?.open();
}

async function undo() {
  const last = decided.at(-1);
  if (!last) return;
  try {
    await post("undo", { id: last.id });
    decided.pop();
    last.card.reopen();
    countDecisions();
    find("#status").textContent = say("undone");
  } catch (error) {
    fail(error);
  }
}

function countDecisions() {
  const count = find("#count");
  count.textContent = decided.length ? say("count", decided.length) : "";
  if (decided.length) {
    count.append(" ", make("button", { type: "button", className: "undo", onclick: undo }, say("undo")));
  }
}

function asQuestion() {
  const target = { title: find("#target").value.trim() };
  const text = find("#text").value;
  if (text.trim()) {
    return { page: { text, markup: find("#markup").value, title: find("#page").value.trim() }, target };
  }
  return { page: { wiki: find("#wiki").value, title: find("#page").value.trim() }, target };
}

find("#question").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(asQuestion());
});
find("#anyway").addEventListener("click", () => ask({ ...question, anyway: true }));
for (const button of document.querySelectorAll(".sample")) {
  button.addEventListener("click", () => ask({ sample: Number(button.value) }));
}
find("#lang").addEventListener("change", () => find("#languages").submit());

// Search as you type, after a short pause.
for (const name of ["page", "target"]) {
  const field = find(`#${name}`);
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => suggestTitles(field), 250);
  });
}

async function suggestTitles(field) {
  const wiki = find("#wiki").value;
  if (!wiki || field.value.trim().length < 2) return;
  try {
    const titles = await search(wiki, field.value.trim());
    find(`#${field.getAttribute("list")}`).replaceChildren(...titles.map((title) => make("option", { value: title })));
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // a list that is missing hinders nobody
  }
}

// Keys, unless somebody writes.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !find("#keys").checked || !cards.length) return;
  if (event.target.closest("input:not([type]), textarea, select, [contenteditable]")) return;
  const current = cards.find((card) => card.element.contains(document.activeElement)) ?? cards.find((card) => card.isOpen);
  const step = { j: 1, k: -1 }[event.key];
  if (step) cards[Math.min(Math.max(cards.indexOf(current) + step, 0), cards.length - 1)].open();
  else if (event.key === "u") undo();
  else if (current && !current.isDecided && "ars".includes(event.key)) current.act({ a: "accepted", r: "rejected", s: "skipped" }[event.key]);
  else return;
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#card-'], a[href^='#place-']");
  if (!link) return;
  event.preventDefault();
  const goal = find(link.getAttribute("href"));
  if (goal) show(goal);
});

if (find("#target").value && find("#page").value) ask(asQuestion());
