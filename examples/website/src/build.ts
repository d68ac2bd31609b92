import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { MastheadClient, MemoryStore, type KeptAnswer } from "masthead-client";

import { readContent } from "./content.js";
import { layout } from "./layout.js";
import { addPublicFiles, addRedirects, addSitemap, fileOf, writeFiles, type Files } from "./output.js";
import { allPages } from "./pages.js";
import { settings } from "./settings.js";

const store = new MemoryStore(200_000_000);
const kept = await readFile(settings.cache, "utf8").catch(() => "[]");
for (const [address, answer] of JSON.parse(kept) as [string, KeptAnswer][]) store.set(address, answer);

let requests = 0;
let unchanged = 0;
const masthead = new MastheadClient({
  baseUrl: settings.api,
  cache: { store },
  fetch: async (request) => {
    requests++;
    const response = await fetch(request);
    if (response.status === 304) unchanged++;
    return response;
  },
});

const content = await readContent(masthead);
const pages = allPages(content);
const files: Files = new Map();
for (const page of pages) files.set(fileOf(page.path) ?? "", layout(page, content.site));
await addPublicFiles(files, "public");
addRedirects(files, content.redirects);
addSitemap(files, pages);
const written = await writeFiles(files, settings.output);

await mkdir(dirname(settings.cache), { recursive: true });
await writeFile(settings.cache, JSON.stringify([...store.entries()]));
console.log(
  `${pages.length} pages, ${requests} requests (${unchanged} unchanged), ${written} files written`,
);
