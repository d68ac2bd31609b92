import type { Schemas } from "masthead-client";

import type { Content, Event, Item } from "./content.js";
import { html, type Html } from "./html.js";
import { apiAddress } from "./settings.js";
import { words } from "./words.js";

type Site = Schemas["Site"];

/** Returns the link to a path of this website; each page is the index of a folder. */
export function href(path: string): string {
  const isPage = path.startsWith("/") && !/[.?#]/.test(path);
  return isPage && !path.endsWith("/") ? `${path}/` : path;
}

/** An image in several widths; the browser knows its size before it is loaded. */
export function picture(image: Schemas["StoredImage"] | null, sizes: string, eager = false): Html {
  if (image === null) return html``;
  const url = apiAddress(image.url);
  const scaled = image.widths.map((width) => `${url}?w=${width} ${width}w`);
  const srcset = [...scaled, `${url} ${image.width}w`].join(", ");
  const loading = eager ? "eager" : "lazy";
  return html`<img src="${url}" srcset="${srcset}" sizes="${sizes}" alt="${image.alt ?? ""}"
    width="${image.width}" height="${image.height}" loading="${loading}" decoding="async">`;
}

/** The attributes of an element with text in the language of an item. */
export function inLanguage({ lang, dir }: { lang: string | null; dir: string | null }): Html {
  return lang === null ? html`` : html` lang="${lang}" dir="${dir ?? "ltr"}"`;
}

/** A day, such as an article's. */
export function day(time: string, site: Site): Html {
  const format = new Intl.DateTimeFormat(site.language, {
    dateStyle: "long",
    timeZone: site.timeZone,
  });
  return html`<time datetime="${time}">${format.format(new Date(time))}</time>`;
}

/** The time of an event: whole days in UTC, other times where the organisation is. */
export function eventTime(event: Event, site: Site): Html {
  const format = new Intl.DateTimeFormat(
    site.language,
    event.allDay
      ? { dateStyle: "full", timeZone: "UTC" }
      : { dateStyle: "full", timeStyle: "short", timeZone: site.timeZone },
  );
  const start = new Date(event.startDate);
  const end = event.endDate === null ? start : new Date(event.endDate);
  return html`<time datetime="${event.startDate}">${format.formatRange(start, end)}</time>`;
}

/** The items of a list, each with a picture, a title and a few words. */
export function cards(items: readonly Item[], site: Site, level: 2 | 3 = 2): Html {
  return html`<ul class="cards">${items.map((item) => card(item, site, level))}</ul>`;
}

function card(item: Item, site: Site, level: number): Html {
  const image = item.type === "actions" ? item.coverImage : item.image;
  const title = html`<a href="/${item.type}/${item.slug}/">${item.title}</a>`;
  return html`<li${inLanguage(item)}>
    ${picture(image, "(min-width: 60rem) 20rem, (min-width: 40rem) 45vw, 92vw")}
    ${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
    ${facts(item, site)}
    <p>${item.description}</p>
  </li>`;
}

/** The date and the place of an item. Dates are in the language of the website. */
export function facts(item: Item, site: Site): Html {
  if (item.type === "actions") return html``;
  const time = item.type === "news" ? day(item.publishedAt, site) : eventTime(item, site);
  const place = item.type === "events" && item.location ? html`<br>${item.location}` : "";
  return html`<p class="facts"><span lang="${site.language}" dir="${site.dir}">${time}</span>${place}</p>`;
}

/** The links to the tags of an item. */
export function tagLinks(tags: readonly Schemas["Tag"][], site: Site): Html {
  if (tags.length === 0) return html``;
  const links = tags.map((tag) => html`<li><a href="/tags/${tag.slug}/">${tag.name}</a></li>`);
  return html`<ul class="tags" aria-label="${words.tags}" lang="${site.language}">${links}</ul>`;
}

/** All items of all types. */
export function allItems({ news, upcoming, past, actions }: Content): Item[] {
  return [...upcoming, ...news, ...actions, ...past];
}
