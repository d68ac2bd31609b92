"use strict";
const entries = [...document.querySelectorAll(".entry")];
const groups = [...document.querySelectorAll(".group")];
const input = document.getElementById("filter");
const found = document.getElementById("found");

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.classList.contains("entry")) {
    target.hidden = false;
    target.parentElement.hidden = false;
    target.open = true;
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  }
}

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const entry of entries) {
    entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
    shown += entry.hidden ? 0 : 1;
  }
  for (const group of groups) {
    group.hidden = !group.querySelector(".entry:not([hidden])");
  }
  found.textContent = words.length ? `${shown} of ${entries.length} are shown.` : "";
}

document.querySelector(".search").hidden = false;
document.querySelector("nav details").open = !matchMedia("(max-width: 48rem)").matches;
input.addEventListener("input", filter);
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    input.value = "";
    filter();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
  }
});
addEventListener("hashchange", openTarget);
openTarget();
// The browser jumps to the target itself and then drops the focus.
addEventListener("load", () => setTimeout(openTarget));
