import { MastheadError, type MastheadClient, type Schemas } from "masthead-client";

type Whole<Item> = Item & Required<Pick<Item, Extract<keyof Item, "content" | "related">>>;
export type News = Whole<Schemas["NewsArticleSummary"]> & { type: "news" };
export type Event = Whole<Schemas["EventSummary"]> & { type: "events" };
export type Action = Whole<Schemas["Action"]> & { type: "actions" };
export type Item = News | Event | Action;

/** All that the website shows. */
export interface Content {
  site: Schemas["Site"];
  about: Schemas["About"];
  people: Schemas["Person"][];
  tags: Schemas["Tag"][];
  news: News[];
  /** The events that aren't over, the next one first. */
  upcoming: Event[];
  /** The events that are over, the latest one first. */
  past: Event[];
  actions: Action[];
  pages: Schemas["Page"][];
  redirects: Schemas["Redirect"][];
}

type Included = ("content" | "related")[];
const include: Included = ["content", "related"];
const params = { query: { include, html: "absolute" as const, limit: 100 } };

/** Reads everything; each list takes one request for 100 items. */
export async function readContent(masthead: MastheadClient): Promise<Content> {
  const [site, about, people, tags, redirects, news, events, actions, pending, pages] =
    await Promise.all([
      masthead.get("/api/site"),
      masthead.get("/api/about"),
      masthead.get("/api/people"),
      masthead.get("/api/tags"),
      all(masthead.pages("/api/redirects")),
      allOf("news", masthead.pages("/api/news", { params })),
      allOf("events", masthead.pages("/api/events", { params })),
      allOf("actions", masthead.pages("/api/actions", { params })),
      masthead.get("/api/events", {
        params: { query: { when: ["current", "upcoming"], fields: ["id"] } },
      }),
      readPages(masthead),
    ]);
  const byId = new Map(events.map((event) => [event.id, event]));
  const upcoming = pending.flatMap(({ id }) => byId.get(id) ?? []);
  const past = events.filter((event) => !upcoming.includes(event)).reverse();
  return { site, about, people, tags, redirects, news, upcoming, past, actions, pages };
}

/** Reads the pages that staff have written; the sitemap names them, their paths have one part. */
async function readPages(masthead: MastheadClient): Promise<Schemas["Page"][]> {
  const sitemap = await masthead.get("/sitemap.xml", { parseAs: "text" });
  const slugs = [...sitemap.matchAll(/<loc>[a-z]+:\/\/[^/<]+\/([a-z0-9-]+)<\/loc>/g)];
  const own = new Set(["news", "events", "actions", "people", "about", "contact", "search", "tags"]);
  const found = slugs.map((match) => match[1] ?? "").filter((slug) => !own.has(slug));
  const pages = await Promise.all(found.map((slug) => readPage(masthead, slug)));
  return pages.filter((page) => page !== null);
}

async function readPage(masthead: MastheadClient, slug: string): Promise<Schemas["Page"] | null> {
  try {
    return await masthead.get("/api/pages/{slug}", {
      params: { path: { slug }, query: { html: "absolute" } },
    });
  } catch (error) {
    // The sitemap also names pages that plugins show.
    if (error instanceof MastheadError && error.status === 404) return null;
    throw error;
  }
}

/** Collects all items of a list. */
async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Collects all items of a content type, with its name. */
async function allOf<Item, Type extends string>(
  type: Type,
  items: AsyncIterable<Item>,
): Promise<(Item & { type: Type })[]> {
  return (await all(items)).map((item) => ({ ...item, type }));
}
