// A card for each place: why and how sure, the edit as a diff, and what the editor decides.

import { withMarks } from "./article.js";
import { characters, find, make, quoted, show, slot, visible, withParts } from "./dom.js";
import { percent, say } from "./messages.js";
import { Failure, post } from "./service.js";

const REASONS = ["everyday", "wrong-target", "more-fewer-words", "other"];
let cardNumber = 0;

// As crypto.randomUUID, which browsers keep for https and localhost.
function newId() {
  const digits = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([start, end]) => digits.slice(start, end)).join("-");
}

export class Card {
  constructor(place, view, question, desk) {
    Object.assign(this, { place, view, question, desk });
    this.verdict = "";
    this.edit = null;
    this.name = `c${++cardNumber}`;
    this.element = make("li", { id: `card-${place.rank}`, tabIndex: -1 });
    this.element.append(...this.head(), this.form(), this.body(), this.actions());
    this.element.addEventListener("focusin", () => this.markCurrent());
    if (place.rank === 1) this.element.classList.add("current");
  }

  get isDecided() {
    return this.verdict !== "";
  }

  get isOpen() {
    return this.element.classList.contains("current");
  }

  head() {
    const { place, view } = this;
    const where = place.section.title ? say("where-section", slot(0)) : say("where-lead");
    const sure = place.probability === null ? place.score.toFixed(2) : percent(place.probability);
    const title = make("a", { href: `#place-${place.rank}` }, make("b", {}, String(place.rank)), say(`action-${place.action}`));
    const parts = withParts(where, [quoted(place.section.title, view.text.language)]);
    const nodes = [
      make("h3", {}, title),
      make("p", {}, make("strong", {}, sure), " · ", ...parts),
      make("p", { lang: "en", dir: "ltr" }, visible(place.reason)),
    ];
    return place.rank === 1 ? [...nodes, ...this.background()] : nodes;
  }

  background() {
    const { answer, text } = this.view;
    const nodes = answer.precedents.map((one) => {
      const message = say("precedent", one.language, slot(0), slot(1));
      return make("blockquote", {}, ...withParts(message, [quoted(one.section, one.language), quoted(one.sentence, one.language)]));
    });
    if (!answer.target.lead) return nodes;
    const about = withParts(say("about-target", slot(0)), [quoted(answer.target.title, text.language)]);
    const lead = make("p", { dir: text.direction, lang: text.language }, visible(answer.target.lead.slice(0, 600)));
    return [...nodes, make("details", {}, make("summary", {}, ...about), lead)];
  }

  form() {
    const { place, view } = this;
    const field = (key, input) => make("label", {}, say(key), " ", input);
    this.target = make("input", { dir: "auto", maxlength: "255", list: "targets", value: view.answer.target.title });
    const written = { rows: 3, dir: view.text.direction, lang: view.text.language };
    if (place.action === "link_words") {
      this.words = make("input", { dir: view.text.direction, lang: view.text.language, value: place.words.text });
    } else {
      const start = place.action === "add_to_sentence" ? place.edit.before : "";
      this.text = make("textarea", written, place.action === "add_to_sentence" ? start : `${place.edit.link ?? ""}`);
    }
    const key = place.action === "add_sentence" ? "sentence-label" : "text-label";
    const inputs = this.words ? [field("words-label", this.words)] : [field(key, this.text)];
    const button = make("button", { type: "submit" }, say("show-edit"));
    const submit = (event) => {
      event.preventDefault();
      this.check();
    };
    return make("form", { onsubmit: submit }, ...inputs, field("new-target-label", this.target), make("div", { className: "actions" }, button));
  }

  body() {
    this.diff = make("div");
    this.fault = make("p", { className: "fault", role: "alert", hidden: true });
    const { before, after } = this.place.edit;
    if (after !== null) this.showEdit({ before, after, link_at: null, rendered: null });
    return make("div", {}, this.diff, this.fault);
  }

  actions() {
    const button = (name, action, css = "") => make("button", { type: "button", className: css, onclick: action }, say(name));
    this.buttons = make(
      "div",
      { className: "actions" },
      button("accept", () => this.act("accepted"), "accept"),
      button("reject", () => this.act("rejected"), "reject"),
      button("skip", () => this.act("skipped"), "skip"),
    );
    this.reasons = make("form", { className: "reasons", hidden: true });
    this.state = make("p", { className: "state", role: "status" });
    this.making = make("div", { className: "actions" });
    return make("div", {}, this.buttons, this.reasons, this.state, this.making);
  }

  // What the service makes of the words or the text; null if it refuses.
  async check() {
    this.fault.hidden = true;
    try {
      this.edit = await post("edit", this.editQuestion());
      this.showEdit(this.edit);
      return this.edit;
    } catch (error) {
      this.showFault(error);
      return null;
    }
  }

  editQuestion() {
    const { place, view, question } = this;
    const title = this.target.value.trim();
    const same = title === view.answer.target.title;
    const target = same ? { ...(question.target ?? {}), title, id: view.answer.target.id } : { title };
    const where = { section: place.section.index, sentence: place.sentence.index, action: place.action };
    const page = view.about.wiki ? { wiki: view.about.wiki, title: view.about.title, revision: view.about.revision } : question.page;
    const asked = { page, sample: question.sample, target, ...where };
    return this.words ? { ...asked, ...this.range() } : { ...asked, text: this.text.value };
  }

  // Where the words stand in the sentence; if several times, where they were suggested or else first.
  range() {
    const { sentence, words } = this.place;
    const wanted = this.words.value;
    if (wanted === words.text) return { start: words.start, end: words.end };
    const at = sentence.text.indexOf(wanted);
    const start = at < 0 || !wanted ? 0 : characters(sentence.text.slice(0, at)).length;
    return { start, end: at < 0 ? 0 : start + characters(wanted).length };
  }

  showEdit({ before, after, rendered, link_at }) {
    const { direction, language } = this.view.text;
    const code = make("code", {}, make("del", {}, visible(before)), make("ins", {}, visible(after)));
    this.diff.replaceChildren(make("pre", { dir: direction, lang: language }, code));
    if (rendered) {
      const shown = withMarks(rendered, link_at ? [link_at] : []);
      this.diff.append(make("p", {}, say("readers-see")), make("p", { className: "rendered", dir: direction, lang: language }, ...shown));
    }
    this.after = after;
  }

  showFault(error) {
    if (!(error instanceof Failure)) throw error;
    this.fault.textContent = visible(error.message);
    this.fault.hidden = false;
  }

  async act(verdict) {
    if (this.isDecided || this.isBusy) return;
    if (verdict === "rejected") return this.askReason();
    if (verdict === "accepted" && !(await this.once(() => this.check()))) return;
    await this.once(() => this.decide(verdict));
  }

  async once(action) {
    this.isBusy = true;
    try {
      return await action();
    } finally {
      this.isBusy = false;
    }
  }

  askReason() {
    const radios = REASONS.map((reason, number) =>
      make("label", {}, make("input", { type: "radio", name: this.name, value: reason, checked: number === 0 }), ` ${say(`reason-${reason}`)}`),
    );
    const note = make("input", { maxlength: "2000", dir: "auto" });
    const send = make("button", { type: "submit" }, say("send"));
    this.reasons.replaceChildren(make("fieldset", {}, make("legend", {}, say("reason-legend")), ...radios, make("label", {}, say("note-label"), " ", note)), send);
    this.reasons.hidden = false;
    this.reasons.onsubmit = (event) => {
      event.preventDefault();
      if (this.isDecided || this.isBusy) return;
      const reason = find("input:checked", this.reasons).value;
      this.once(() => this.decide("rejected", { reason, note: note.value }));
    };
    find("input", this.reasons).focus();
  }

  async decide(verdict, more = {}) {
    const { place, view } = this;
    const accepted = verdict === "accepted";
    const values = {
      verdict,
      page: view.answer.page.title,
      target: this.target.value.trim() || view.answer.target.title,
      wiki: view.about.wiki,
      revision: view.about.revision,
      section: place.section.title,
      sentence: place.sentence.text,
      start: place.edit.source.start,
      end: place.edit.source.end,
      rank: place.rank,
      action: place.action,
      probability: place.probability,
      words: this.words?.value ?? "",
      before: accepted ? this.edit.before : place.edit.before,
      after: accepted ? this.edit.after : (place.edit.after ?? ""),
      ...more,
    };
    try {
      this.verdict = verdict;
      await this.desk.decide(this, { id: await this.idOf(values), ...values });
      this.showVerdict();
    } catch (error) {
      this.verdict = "";
      this.showFault(error);
    }
  }

  // A request that failed is sent again with the same id. If another decision follows it, it is undone: perhaps it was
  // stored, and only the answer was lost.
  async idOf(values) {
    const text = JSON.stringify(values);
    if (this.sent && this.sent.text !== text) await post("undo", { id: this.sent.id });
    if (this.sent?.text !== text) this.sent = { id: newId(), text };
    return this.sent.id;
  }

  showVerdict() {
    this.element.classList.add("decided");
    this.buttons.hidden = this.reasons.hidden = true;
    this.lock(true);
    this.state.textContent = say(`decided-${this.verdict}`, "unknown");
    if (this.verdict !== "accepted") return;
    this.making.replaceChildren(...this.waysToMakeIt());
    find("button", this.making).focus();
  }

  waysToMakeIt() {
    const copy = make("button", { type: "button", onclick: () => this.copy(copy) }, say("copy"));
    const { form } = this.edit;
    if (!form) return [copy];
    const fields = Object.entries(form.fields).map(([name, value]) => {
      const field = make("textarea", { name, hidden: true });
      field.value = value;
      return field;
    });
    const open = make("button", { type: "submit" }, say("open-wiki"));
    const target = make("form", { action: form.address, method: "post", target: "_blank", rel: "noopener" }, ...fields, open);
    return [copy, target, make("p", {}, say("open-wiki-help"))];
  }

  async copy(button) {
    try {
      await navigator.clipboard.writeText(this.after);
      button.textContent = say("copied");
    } catch {
      const field = make("textarea", { rows: 3, readOnly: true, "aria-label": say("copy") });
      field.value = this.after;
      button.after(field);
      field.select();
    }
  }

  reopen() {
    this.verdict = "";
    this.sent = undefined; // the next decision is a new one
    this.element.classList.remove("decided");
    this.buttons.hidden = false;
    this.lock(false);
    this.state.textContent = "";
    this.making.replaceChildren();
    this.open();
  }

  // What was decided stays as it was: the edit that is made is the one that is stored.
  lock(isLocked) {
    for (const field of this.element.querySelectorAll("form:not([method]) :is(input, textarea, button)")) field.disabled = isLocked;
  }

  markCurrent() {
    for (const other of document.querySelectorAll(".cards li.current")) other.classList.remove("current");
    this.element.classList.add("current");
  }

  open() {
    this.markCurrent();
    show(this.element);
  }
}
