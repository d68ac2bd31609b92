import assert from "node:assert/strict";
import { test } from "node:test";

import { MastheadClient, MastheadError, NetworkError } from "masthead-client";

import { serve } from "./servers.js";

const quick = { firstDelay: 1, maxDelay: 1000 };
const article = { title: "Seeds" };
const params = { header: { "Idempotency-Key": "0f8fad5b" } };

test("a GET is repeated after a busy server and after broken connections", async () => {
  const { baseUrl, received } = await serve((_request, response) => {
    const attempt = received.length;
    if (attempt === 1) response.writeHead(503, { "Retry-After": "0" }).end();
    else if (attempt === 2) response.destroy();
    else if (attempt === 3) {
      response.writeHead(200, { "Content-Length": "100" }).write("[");
      setTimeout(() => response.destroy(), 20);
    } else response.writeHead(200, { "Content-Type": "application/json" }).end("[]");
  });
  const client = new MastheadClient({ baseUrl, ...quick });

  assert.deepEqual(await client.get("/api/news"), []);
  assert.equal(received.length, 4);
});

test("a POST is repeated only with an Idempotency-Key, and with the same body", async () => {
  const bodies: string[] = [];
  const { baseUrl, received } = await serve(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    bodies.push(body);
    const done = received.length > 2;
    response.writeHead(done ? 200 : 503, { "Retry-After": "0" }).end('{"id": 7}');
  });
  const client = new MastheadClient({ baseUrl, ...quick });

  await assert.rejects(client.post("/api/staff/news", { body: article }), { status: 503 });
  assert.equal(received.length, 1);

  assert.equal((await client.post("/api/staff/news", { body: article, params })).id, 7);
  assert.deepEqual(bodies, Array(3).fill(JSON.stringify(article)));
  assert.equal(received[2]?.headers["idempotency-key"], "0f8fad5b");
});

test("the number of repetitions and their delay are bounded", async () => {
  let wait = "0";
  const { baseUrl, received } = await serve((_request, response) => {
    response.writeHead(503, { "Retry-After": wait, "X-Request-Id": "r1" }).end("<p>Busy</p>");
  });
  const client = new MastheadClient({ baseUrl, ...quick, retries: 2 });

  await assert.rejects(client.get("/api/news"), (error) => {
    assert(error instanceof MastheadError);
    assert.deepEqual([error.status, error.requestId, error.fields], [503, "r1", []]);
    return true;
  });
  assert.equal(received.length, 3);

  wait = "3600";
  await assert.rejects(client.get("/api/news"), { status: 503 });
  assert.equal(received.length, 4);
});

test("an abort ends the delay, with its reason", async () => {
  const stop = new AbortController();
  const { baseUrl, received } = await serve((_request, response) => {
    response.writeHead(503, { "Retry-After": "600" }).end();
    setTimeout(() => stop.abort(new Error("left the page")), 50);
  });
  const client = new MastheadClient({ baseUrl, maxDelay: 1e6 });
  const asked = client.get("/api/news", { signal: stop.signal });

  await assert.rejects(asked, { message: "left the page" });
  assert.equal(received.length, 1);
});

test("a server that can't be reached is a network error with its cause", async () => {
  const client = new MastheadClient({ baseUrl: "http://127.0.0.1:1", retries: 1, firstDelay: 1 });

  await assert.rejects(client.get("/api/news"), (error) => {
    assert(error instanceof NetworkError && !(error instanceof MastheadError));
    assert(error.cause instanceof Error);
    return true;
  });
});

test("the page of a proxy with a status of success is no answer", async () => {
  const { baseUrl } = await serve((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Log in to this network");
  });
  const client = new MastheadClient({ baseUrl });

  await assert.rejects(client.get("/api/news"), (error) => {
    assert(error instanceof NetworkError && error.cause instanceof SyntaxError);
    assert.equal(error.message, "No answer to get /api/news");
    return true;
  });
});
