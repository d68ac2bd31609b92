// Shows the hits of the API. Snippets are safe HTML, other values are text.
const form = document.getElementById("search");
const hits = document.getElementById("hits");
const count = document.getElementById("count");

function entry(hit) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `/${hit.type}/${hit.slug}/`;
  link.textContent = hit.title;
  const snippet = document.createElement("p");
  snippet.innerHTML = hit.snippet;
  if (hit.lang) Object.assign(item, { lang: hit.lang, dir: hit.dir });
  item.append(link, snippet);
  return item;
}

async function show(words) {
  try {
    const answer = await fetch(`${form.dataset.api}/api/search?q=${encodeURIComponent(words)}`);
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error);
    hits.replaceChildren(...found.items.map(entry));
    count.textContent = `Found: ${answer.headers.get("X-Total-Count")}`;
  } catch (error) {
    hits.replaceChildren();
    count.textContent = `The search failed: ${error.message}`;
  }
}

const words = new URLSearchParams(location.search).get("q");
if (words) {
  form.elements.q.value = words;
  show(words);
}
