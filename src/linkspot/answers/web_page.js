"use strict";

for (const element of document.querySelectorAll(".scripted")) element.hidden = false;

// Keys: the next and the previous place, best first.
const keys = document.querySelector("#keys");
const badges = [...document.querySelectorAll(".badge")].sort((one, other) => one.text - other.text);
keys.closest("p").hidden = !badges.length;
document.addEventListener("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key];
  if (!step || !badges.length || !keys.checked || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("textarea")) return;
  const here = badges.indexOf(document.activeElement);
  const next = here < 0 ? (step > 0 ? 0 : badges.length - 1) : Math.min(Math.max(here + step, 0), badges.length - 1);
  show(badges[next]);
});

// Links inside of the page, also where it is shown in a frame that has no address of its own.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  const goal = link && document.querySelector(link.getAttribute("href"));
  if (!goal) return;
  event.preventDefault();
  show(goal);
});

function show(element) {
  if (!element.matches("a")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center" });
}

// Copying: where the clipboard is closed to the page, the text is selected.
for (const button of document.querySelectorAll("button[value]")) {
  button.addEventListener("click", async () => {
    const isCopied = await copied(button);
    const label = button.dataset.label || (button.dataset.label = button.textContent);
    button.textContent = isCopied ? "Copied" : "Selected: now copy it with Ctrl+C or ⌘C";
    document.querySelector(".status").textContent = button.textContent;
    if (isCopied) setTimeout(() => (button.textContent = label), 2000);
  });
}

async function copied(button) {
  try {
    await navigator.clipboard.writeText(button.value);
    return true;
  } catch {
    return copiedBySelection(button);
  }
}

function copiedBySelection(button) {
  const field = button.parentElement.querySelector("textarea") || document.createElement("textarea");
  field.value = button.value;
  field.readOnly = true;
  field.setAttribute("aria-label", "The text to copy");
  button.after(field);
  field.focus();
  field.select();
  if (!document.execCommand("copy")) return false;
  field.remove();
  button.focus();
  return true;
}
