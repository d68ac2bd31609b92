import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Schemas } from "masthead-client";

import { escaped, html } from "./html.js";
import type { Page } from "./layout.js";
import { href } from "./parts.js";
import { apiAddress, settings } from "./settings.js";
import { words } from "./words.js";

/** The files of the website, by their names in its folder. */
export type Files = Map<string, string | Uint8Array>;

const MANIFEST = ".files.json";

/** Returns the name of the file that answers a path, or null if none can. */
export function fileOf(path: string): string | null {
  const parts = (decoded(path) ?? "..").split("/").filter(Boolean);
  const isUnsafe = (part: string) => part.startsWith(".") || /[\\\0]/.test(part);
  const isLong = (part: string) => Buffer.byteLength(part) > 250;
  if (parts.some((part) => isUnsafe(part) || isLong(part))) return null;
  return /\.(html|txt|xml)$/.test(path) ? parts.join("/") : [...parts, "index.html"].join("/");
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Adds the files of the folder `public`. */
export async function addPublicFiles(files: Files, folder: string): Promise<void> {
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));
}

/** Adds a page for each former address, and the list that hosts such as Netlify read. */
export function addRedirects(files: Files, redirects: readonly Schemas["Redirect"][]): void {
  const lines: string[] = [];
  for (const { from, to } of redirects) {
    const file = from.includes("?") ? null : fileOf(from);
    if (file === null || isTaken(files, file)) continue;
    const target = to.startsWith("/api/") ? apiAddress(to) : href(to);
    lines.push(`${encodeURI(decodeURIComponent(from))} ${target} 301\n`);
    files.set(file, moved(target));
  }
  files.set("_redirects", lines.join(""));
}

/** Whether there is a file, or one where the file needs a folder. */
function isTaken(files: Files, file: string): boolean {
  const parts = file.split("/");
  return parts.some((_, index) => files.has(parts.slice(0, index + 1).join("/")));
}

function moved(target: string): string {
  return html`<!doctype html><html><meta charset="utf-8"><title>${words.moved}</title>
<link rel="canonical" href="${target}"><meta http-equiv="refresh" content="0; url=${target}">
<p><a href="${target}">${words.moved}</a></p></html>
`.text;
}

/** Adds the sitemap and the rules for crawlers. */
export function addSitemap(files: Files, pages: readonly Page[]): void {
  const entries = pages
    .filter(({ path }) => path !== "/404.html")
    .map(({ path, updatedAt }) => {
      const changed = updatedAt === undefined ? "" : `<lastmod>${escaped(updatedAt)}</lastmod>`;
      return `<url><loc>${escaped(settings.site + href(path))}</loc>${changed}</url>\n`;
    });
  const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
  files.set(
    "sitemap.xml",
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${namespace}">\n${entries.join("")}</urlset>\n`,
  );
  files.set("robots.txt", `User-agent: *\nAllow: /\nSitemap: ${settings.site}/sitemap.xml\n`);
}

/** Writes the files that have changed, and removes those that an earlier build has written. */
export async function writeFiles(files: Files, folder: string): Promise<number> {
  let written = 0;
  for (const [name, content] of files) {
    const path = join(folder, name);
    const present = await readFile(path).catch(() => null);
    if (present?.equals(Buffer.from(content as Uint8Array))) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    written++;
  }
  const manifest = join(folder, MANIFEST);
  const earlier = JSON.parse(await readFile(manifest, "utf8").catch(() => "[]")) as string[];
  for (const name of earlier.filter((each) => !files.has(each))) {
    await rm(join(folder, name), { force: true });
  }
  await writeFile(manifest, JSON.stringify([...files.keys()]));
  return written;
}
