// What the page asks the service; every failure becomes one sentence.

import { find } from "./dom.js";
import { say } from "./messages.js";

const token = find("meta[name=linkspot-token]").content;

export class Failure extends Error {}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Linkspot-Token": token };
  return asked(`/page/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

export async function search(wiki, text) {
  return asked(`/page/search?${new URLSearchParams({ wiki, q: text })}`, {});
}

async function asked(address, options) {
  let response, content;
  try {
    response = await fetch(address, { ...options, credentials: "same-origin" });
    content = await response.json();
  } catch {
    throw new Failure(say("failed"));
  }
  if (response.ok) return content;
  if ([429, 503].includes(response.status) && content?.error?.code !== "not_stored") throw new Failure(say("too-busy"));
  throw new Failure(content?.error?.message ?? say("failed"));
}
