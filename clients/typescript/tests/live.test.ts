import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";

import type { LiveEvent } from "masthead-client";

import { client, serve, staff } from "./servers.js";

test("changes arrive while the loop runs, and leaving it closes the stream", async () => {
  const made = await staff();
  const { id } = await made.post("/api/staff/news", { body: { title: "Live" } });
  const seen: LiveEvent[] = [];
  for await (const event of made.liveEvents({ watch: [`news:${id}`], types: ["events"] })) {
    seen.push(event);
    if (event.event !== "changed" || event.data.id === null) continue;
    if (event.data.etag === null) break;
    await made.delete("/api/staff/news/{id}", { params: { path: { id } } });
  }

  assert(seen.some(({ event }) => event === "notifications"));
  const types = seen.map(({ data }) => ("contentType" in data ? data.contentType : null));
  assert(types.includes("events"));
});

test("the next stream continues after the last event, also after breaks", async () => {
  const last: (string | null)[] = [];
  let open: ServerResponse | undefined;
  const { baseUrl } = await serve((request, response) => {
    last.push(new URL(request.url ?? "", baseUrl).searchParams.get("lastEventId"));
    const number = last.length;
    if (number === 3) return void response.writeHead(503).end();
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(`: open\n\nretry: 1\n\nid: ${number}\nevent: notifications\n`);
    response.write(`data: {"unread": ${number},\ndata: "latest": null}\n\n`);
    if (number === 1) response.end();
    else open = response;
  });
  const unread: number[] = [];
  for await (const event of client({ baseUrl, retries: 0 }).liveEvents({ types: ["news"] })) {
    if (event.event !== "notifications") continue;
    if (unread.push(event.data.unread) === 3) break;
    open?.destroy();
  }

  assert.deepEqual(unread, [1, 2, 4]);
  assert.deepEqual(last, [null, "1", "2", "2"]);
});

test("an abort ends the events, and a refused token throws", async () => {
  const made = await staff();
  const stop = new AbortController();
  let count = 0;
  for await (const _ of made.liveEvents({ signal: stop.signal })) {
    count++;
    stop.abort();
  }
  assert.equal(count, 1);

  await assert.rejects(client().liveEvents().next(), { status: 401 });
});
