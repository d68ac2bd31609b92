import type { Schemas } from "masthead-client";

import type { Content, Item } from "./content.js";
import { html, sanitised, type Html } from "./html.js";
import type { Page } from "./layout.js";
import { allItems, cards, facts, inLanguage, picture, tagLinks } from "./parts.js";
import { settings } from "./settings.js";
import { words } from "./words.js";

/** Returns all pages of the website. */
export function allPages(content: Content): Page[] {
  const { site, news, upcoming, past, actions, pages } = content;
  const events = [...upcoming, ...past];
  return [
    home(content),
    ...list("/news", words.news, news, site),
    ...list("/events", words.events, events, site),
    ...list("/actions", words.actions, actions, site),
    ...allItems(content).map((item) => detail(item, site)),
    ...pages.map(written),
    about(content),
    people(content),
    ...tags(content),
    contact(),
    search(),
    simple("/404.html", words.notFound, html`<p>${words.notFoundText}</p>`),
  ];
}

function home({ site, news, upcoming, actions }: Content): Page {
  const hero = site.images.find(({ id }) => id === "hero")?.image ?? null;
  const part = (title: string, items: readonly Item[], path: string, all: string) =>
    items.length > 0
      ? html`<section><h2>${title}</h2>${cards(items, site, 3)}
        <p><a href="${path}">${all}</a></p></section>`
      : "";
  const main = html`<h1>${site.tagline ?? site.name}</h1>
    ${picture(hero, "(min-width: 60rem) 60rem, 100vw", true)}
    <p class="lead">${site.description}</p>
    ${part(words.nextEvents, upcoming.slice(0, 3), "/events/", words.allEvents)}
    ${part(words.news, news.slice(0, 6), "/news/", words.allNews)}
    ${part(words.joinIn, actions.slice(0, 3), "/actions/", words.allActions)}`;
  return { path: "/", title: site.name, main };
}

/** The pages of a list, at `/news/`, `/news/page/2/` and so on. */
function list(path: string, title: string, items: readonly Item[], site: Schemas["Site"]): Page[] {
  const size = settings.itemsPerPage;
  const count = Math.max(1, Math.ceil(items.length / size));
  const address = (number: number) => (number === 1 ? path : `${path}/page/${number}`);
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const older = number < count ? html`<a rel="next" href="${address(number + 1)}/">${words.next}</a>` : "";
    const newer = number > 1 ? html`<a rel="prev" href="${address(number - 1)}/">${words.previous}</a>` : "";
    const turn = count > 1 ? html`<nav class="turn" aria-label="${words.pages}">${newer} ${older}</nav>` : "";
    const shown = items.slice(index * size, number * size);
    const heading = number === 1 ? title : `${title}, ${words.page} ${number}`;
    return simple(address(number), heading, html`${cards(shown, site)}${turn}`);
  });
}

function detail(item: Item, site: Schemas["Site"]): Page {
  const image = item.type === "actions" ? item.coverImage : item.image;
  const link = item.type === "news" ? null : item.link;
  const main = html`<article${inLanguage(item)}>
    <h1>${item.title}</h1>
    ${facts(item, site)}
    ${picture(image, "(min-width: 60rem) 60rem, 100vw", true)}
    <div class="content">${sanitised(item.content)}</div>
    ${link && html`<p><a href="${link}">${link}</a></p>`}
    ${tagLinks(item.tags, site)}
  </article>
  ${related(item)}`;
  return {
    path: `/${item.type}/${item.slug}`,
    title: item.title,
    description: item.description,
    image: image?.url ?? null,
    updatedAt: item.updatedAt,
    main,
  };
}

function related({ type, related: items }: Item): Html {
  if (items.length === 0) return html``;
  const links = items.map(
    (item) => html`<li${"lang" in item ? inLanguage(item) : ""}><a href="/${type}/${item.slug}/">${item.title}</a></li>`,
  );
  return html`<aside><h2>${words.related}</h2><ul>${links}</ul></aside>`;
}

function written(page: Schemas["Page"]): Page {
  const main = html`<article${inLanguage(page)}>
    <h1>${page.title}</h1><div class="content">${sanitised(page.content)}</div></article>`;
  return { path: `/${page.slug}`, title: page.title, updatedAt: page.updatedAt, main };
}

function about({ about: { mission, history, values } }: Content): Page {
  const text = ({ title, content }: Schemas["AboutText"]) =>
    title || content ? html`<h2>${title}</h2>${sanitised(content)}` : "";
  const items = values.map((value) => html`<dt>${value.title}</dt><dd>${value.description}</dd>`);
  const shown = items.length > 0 ? html`<h2>${words.values}</h2><dl>${items}</dl>` : "";
  return simple("/about", words.about, html`<div class="content">${text(mission)}${text(history)}${shown}</div>`);
}

function people({ people: persons }: Content): Page {
  const items = persons.map(
    (person) => html`<li>${picture(person.image, "(min-width: 40rem) 20rem, 92vw")}
      <h2>${person.name}</h2><p class="facts">${person.role}</p><p>${person.briefMessage}</p></li>`,
  );
  return simple("/people", words.people, html`<ul class="cards">${items}</ul>`);
}

function tags(content: Content): Page[] {
  const items = allItems(content);
  const found = content.tags
    .map((tag) => ({ tag, tagged: items.filter((item) => item.tags.some(({ id }) => id === tag.id)) }))
    .filter(({ tagged }) => tagged.length > 0);
  const names = found.map(
    ({ tag, tagged }) => html`<li><a href="/tags/${tag.slug}/">${tag.name} (${tagged.length})</a></li>`,
  );
  const pages = found.map(({ tag, tagged }) =>
    simple(`/tags/${tag.slug}`, tag.name, cards(tagged, content.site)),
  );
  return [simple("/tags", words.tags, html`<ul class="tags">${names}</ul>`), ...pages];
}

/** The form works without JavaScript; the setting `masthead.forms.success_page` names the next page. */
function contact(): Page {
  const field = (label: string, name: string, type: string) =>
    html`<label>${label} <input name="${name}" type="${type}" required maxlength="200"></label>`;
  return simple(
    "/contact",
    words.contact,
    html`<form action="${settings.api}/api/contact" method="post" accept-charset="utf-8">
      ${field(words.name, "name", "text")} ${field(words.email, "email", "email")}
      ${field(words.subject, "subject", "text")}
      <label>${words.message} <textarea name="message" rows="8" required maxlength="5000"></textarea></label>
      <input name="website" hidden autocomplete="off" tabindex="-1">
      <button>${words.send}</button>
    </form>`,
  );
}

function search(): Page {
  return simple(
    "/search",
    words.search,
    html`<form role="search" id="search" data-api="${settings.api}">
      <label>${words.searchWords} <input name="q" type="search" required maxlength="200"></label>
      <button>${words.search}</button>
    </form>
    <p id="count" role="status"></p>
    <ol id="hits" class="hits"></ol>
    <noscript><p>${words.needsScript}</p></noscript>
    <script src="/search.js" type="module"></script>`,
  );
}

function simple(path: string, title: string, body: Html): Page {
  return { path, title, main: html`<h1>${title}</h1>${body}` };
}
