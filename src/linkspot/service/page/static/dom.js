// Elements, made from text alone: nothing of a page is ever read as HTML.

export const find = (selector, within = document) => within.querySelector(selector);

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Text of a page in a sentence of ours: its direction and language are its own.
export function quoted(text, language) {
  return make("bdi", { lang: language || undefined }, visible(text));
}

// A message in which what stands for the arguments are elements.
export function withParts(message, parts) {
  return message.split(/(\u0001\d+\u0001)/u).map((piece) => {
    const number = /^\u0001(\d+)\u0001$/u.exec(piece);
    return number ? parts[Number(number[1])] : piece;
  });
}

export const slot = (number) => `\u0001${number}\u0001`;

// Control characters and turns of direction are shown as escapes, as everywhere in linkspot.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

export function visible(text) {
  return text.replace(UNSAFE, (sign) => `\\u${sign.codePointAt(0).toString(16).padStart(4, "0")}`);
}

// Python counts characters, JavaScript counts halves of some of them.
export const characters = (text) => Array.from(text);

export function show(element) {
  if (!element.matches("a, button, input, textarea")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center" });
}
