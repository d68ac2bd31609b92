import type { Schemas } from "masthead-client";

import { html, sanitised, type Html } from "./html.js";
import { href, picture } from "./parts.js";
import { apiAddress, settings } from "./settings.js";
import { words } from "./words.js";

type Site = Schemas["Site"];
type Entry = Schemas["NavigationItem"];

/** A page of the website. */
export interface Page {
  path: string;
  title: string;
  description?: string | null;
  image?: string | null;
  /** The time of the last change, for the sitemap. */
  updatedAt?: string;
  main: Html;
}

/** Only this website's styles and scripts run, so that a mistake in escaping does no harm. */
const POLICY = [
  "default-src 'none'",
  "img-src * data:",
  "media-src *",
  "frame-src https:",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "script-src 'self'",
  `connect-src ${new URL(settings.api).origin}`,
  `form-action 'self' ${new URL(settings.api).origin}`,
  "base-uri 'none'",
].join("; ");

/** Returns the document of a page, with the frame that all pages share. */
export function layout(page: Page, site: Site): string {
  const title = page.path === "/" ? site.name : `${page.title} – ${site.name}`;
  const description = page.description ?? site.description;
  const card = site.images.find(({ id }) => id === "social-card")?.imageUrl;
  const image = page.image || card;
  const logo = site.images.find(({ id }) => id === "logo")?.imageUrl;
  return html`<!doctype html>
<html lang="${site.language}" dir="${site.dir}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<meta property="og:title" content="${page.title}">
<meta property="og:site_name" content="${site.name}">
<meta property="og:description" content="${description}">
${image ? html`<meta property="og:image" content="${apiAddress(image)}">` : ""}
<link rel="canonical" href="${settings.site}${href(page.path)}">
<link rel="icon" href="${logo ? apiAddress(logo) : "data:,"}">
<link rel="stylesheet" href="/style.css">
<link rel="alternate" type="application/rss+xml" title="${words.news}" href="${settings.api}/api/feed/news">
<link rel="alternate" type="application/rss+xml" title="${words.events}" href="${settings.api}/api/feed/events">
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header>
${brand(site)}
<nav aria-label="${words.mainMenu}">${entries(site.navigation, page.path)}</nav>
<a href="/search/">${words.search}</a>
</header>
<main id="main">${page.main}</main>
<footer>
${sanitised(site.footer)}
${contact(site)}
<ul>
${(site.social ?? []).map((link) => html`<li><a href="${link.url}" rel="me">${link.label}</a></li>`)}
<li><a href="${settings.api}/api/feed/news">${words.newsFeed}</a></li>
<li><a href="${settings.api}/api/feed/events.ics">${words.calendar}</a></li>
<li><a href="/tags/">${words.tags}</a></li>
</ul>
</footer>
</body>
</html>
`.text;
}

function brand(site: Site): Html {
  const logo = site.images.find(({ id }) => id === "logo")?.image ?? null;
  const decorative = logo && { ...logo, alt: "" };
  return html`<a class="brand" href="/">${picture(decorative, "3rem", true)}<span>${site.name}</span></a>`;
}

function entries(items: readonly Entry[], path: string): Html {
  return html`<ul>${items.map((item) => entry(item, path))}</ul>`;
}

function entry(item: Entry, path: string): Html {
  if (item.isFolder) {
    const inner = entries(item.children ?? [], path);
    return html`<li><details><summary>${item.label}</summary>${inner}</details></li>`;
  }
  // The path of a page that staff have written is its slug.
  const target = item.customPageId ? `/${item.path}` : (item.path ?? "/");
  const current = href(target) === href(path) ? html` aria-current="page"` : "";
  return html`<li><a href="${href(target)}"${current}>${item.label}</a></li>`;
}

function contact(site: Site): Html {
  const lines = [site.address, site.phone].filter((line) => line !== null);
  const email = site.email && html`<a href="mailto:${site.email}">${site.email}</a>`;
  return html`<address>${lines.map((line) => html`<span>${line}</span><br>`)}${email}</address>`;
}
