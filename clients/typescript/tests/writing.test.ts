import assert from "node:assert/strict";
import { test } from "node:test";

import { MastheadError, PreconditionFailedError } from "masthead-client";

import { client, staff } from "./servers.js";

const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

test("an edit never overwrites the change of somebody else", async () => {
  const made = await staff();
  const { id } = await made.post("/api/staff/news", { body: { title: "Opening" } });
  const params = { path: { id } };
  const mine = await made.edit("/api/staff/news/{id}", { params });
  const theirs = await made.edit("/api/staff/news/{id}", { params });
  await theirs.save({ title: "Opening hours" });
  await theirs.save({ description: "All year" });

  await assert.rejects(mine.save({ title: "Closed" }), PreconditionFailedError);
  await assert.rejects(mine.remove(), { status: 412 });
  assert.equal((await mine.reload()).title, "Opening hours");
  assert.equal((await mine.save({ title: "Closed" })).description, "All year");
  assert.equal(mine.item.title, "Closed");
  await mine.remove();
  await assert.rejects(made.get("/api/staff/news/{id}", { params }), { status: 404 });
});

test("wrong fields have a path and a code", async () => {
  const made = await staff();
  await assert.rejects(made.post("/api/staff/news", { body: { title: " " } }), (error) => {
    assert(error instanceof MastheadError);
    assert.equal(error.status, 400);
    assert.equal(error.field("title")?.code, "required");
    assert.equal(error.field("content"), undefined);
    return true;
  });
});

test("an upload reports its progress, and can be aborted", async () => {
  const made = await staff();
  // Bytes after the end of an image aren't stored.
  const file = new Blob([GIF, new Uint8Array(300_000)], { type: "image/gif" });
  const steps: [number, number][] = [];
  const onProgress = (sent: number, total: number) => void steps.push([sent, total]);

  const { url, filename } = await made.upload("/api/staff/upload/image", file, {
    name: "picture.gif",
    onProgress,
  });
  assert.match(url, /^\/api\/images\//);
  assert.match(filename, /\.gif$/);
  const last = steps.at(-1)!;
  assert(steps.length > 3 && last[0] === last[1] && last[1] > 300_000);
  assert.equal((await made.upload("/api/staff/upload/image", file)).duplicate, true);

  const stop = new AbortController();
  const stopped = made.upload("/api/staff/upload/image", file, {
    onProgress: () => stop.abort(new Error("cancelled")),
    signal: stop.signal,
  });
  await assert.rejects(stopped, { message: "cancelled" });
});

test("the form of a page is sent as JSON", async () => {
  const form = new FormData();
  form.set("name", "Ada");
  form.set("email", "ada@example.org");
  form.set("subject", "Seeds");
  form.set("message", " ");
  await assert.rejects(client().submit("/api/contact", form), (error) => {
    assert(error instanceof MastheadError);
    assert.equal(error.field("message")?.code, "required");
    return true;
  });

  form.set("message", "Do you swap seeds?");
  assert.equal((await client().submit("/api/contact", form)).success, true);

  const proposal = new FormData();
  for (const name of ["title", "description", "contactName"]) proposal.set(name, "Ada");
  proposal.set("contactEmail", "ada@example.org");
  proposal.set("imageUrls", "https://example.org/a.jpg");
  assert.equal((await client().submit("/api/ycs/submit-action", proposal, ["imageUrls"])).success, true);
});
