/** Sends a request for one page, with the given query. */
export type ReadPage<Item> = (
  query: Record<string, unknown>,
) => Promise<{ items: readonly Item[]; response: Response }>;

/** Yields the items of all pages, each of which is requested when its first item is asked for. */
export async function* itemsOf<Item>(
  read: ReadPage<Item>,
  query: Record<string, unknown>,
): AsyncGenerator<Item, void, undefined> {
  for (let next: Record<string, unknown> | null = query; next !== null; ) {
    const { items, response } = await read(next);
    yield* items;
    next = nextQuery(response.headers.get("Link") ?? "");
  }
}

/** Returns the query of the next page in a header `Link`, or null on the last one. */
function nextQuery(link: string): Record<string, string> | null {
  const address = /<([^>]*)>\s*;[^<]*\brel="?next\b/.exec(link)?.[1];
  if (address === undefined) return null;
  // Only the query counts: behind a proxy, the server may know itself by another address.
  return Object.fromEntries(new URL(address, "http://server.invalid").searchParams);
}
