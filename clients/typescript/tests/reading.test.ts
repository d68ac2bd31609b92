import assert from "node:assert/strict";
import { test } from "node:test";

import { MastheadError, MemoryStore } from "masthead-client";

import { client, noting, serve, staff } from "./servers.js";

test("pages are requested one after the other, and yield each item once", async () => {
  const statuses: number[] = [];
  const made = client({ fetch: noting(statuses) });
  const all = await client().get("/api/people", { params: { query: { fields: ["id", "name"] } } });
  assert(all.length > 2);

  const found: { id: number; name: string }[] = [];
  const query = { fields: ["id" as const, "name" as const], limit: 2 };
  for await (const person of made.pages("/api/people", { params: { query } })) {
    if (found.length === 0) assert.equal(statuses.length, 1);
    found.push(person);
  }

  assert.deepEqual(found, all);
  assert.equal(statuses.length, Math.ceil(all.length / 2));
});

test("the address in Link needn't be that of the client", async () => {
  const { baseUrl, received } = await serve((request, response) => {
    const first = request.url === "/api/news?search=a%26b";
    const next = '<http://inner:1/api/news?search=a%26b&offset=1>; rel="next"';
    const previous = '<http://inner:1/api/news>; rel="prev"';
    response.setHeader("Link", first ? `${previous}, ${next}` : previous);
    response.end(`[{"id": ${received.length}}]`);
  });
  const ids: number[] = [];
  const options = { params: { query: { search: "a&b" } } };
  for await (const { id } of client({ baseUrl }).pages("/api/news", options)) ids.push(id);

  assert.deepEqual(ids, [1, 2]);
  assert.equal(received[1]?.url, "/api/news?search=a%26b&offset=1");
});

test("an unchanged answer is kept, and a changed one replaces it", async () => {
  const statuses: number[] = [];
  const made = client({ fetch: noting(statuses), cache: { store: new MemoryStore() } });
  const first = await made.get("/api/people");
  assert.deepEqual(await made.get("/api/people"), first);
  assert.deepEqual(statuses, [200, 304]);

  const editor = await staff();
  const body = { name: "Grace", role: "Beekeeper", published: true };
  const { id } = await editor.post("/api/staff/people", { body });
  assert((await made.get("/api/people")).some((person) => person.id === id));
  await editor.delete("/api/staff/people/{id}", { params: { path: { id } } });
  assert.deepEqual(await made.get("/api/people"), first);
  assert.deepEqual(statuses, [200, 304, 200, 200]);
});

test("answers to a token are kept only on request", async () => {
  for (const withToken of [false, true]) {
    const statuses: number[] = [];
    const cache = { store: new MemoryStore(), withToken };
    const made = await staff({ cache, fetch: noting(statuses) });
    for (const _ of [1, 2]) await made.get("/api/news");
    assert.deepEqual(statuses.slice(1), [200, withToken ? 304 : 200]);
  }
});

test("the store in memory forgets what was not used for the longest time", () => {
  const store = new MemoryStore(30);
  const answer = { etag: '"1"', headers: [], body: "123456789" };
  for (const address of ["a", "b", "c"]) store.set(address, answer);
  store.get("a");
  store.set("d", answer);

  assert.deepEqual([...store.entries()].map(([address]) => address), ["c", "a", "d"]);
});

test("text is read as text, and an unknown item is an error", async () => {
  assert.match(await client().get("/api/feed/news", { parseAs: "text" }), /^<\?xml/);
  const params = { path: { slug: "no-such-article" } };
  await assert.rejects(client().get("/api/news/{slug}", { params }), (error) => {
    assert(error instanceof MastheadError);
    assert.deepEqual([error.status, error.message, error.movedTo], [404, "Not found", null]);
    return true;
  });
});
