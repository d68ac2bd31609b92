import assert from "node:assert/strict";
import { test } from "node:test";

import { MastheadClient, type Session, type SessionStore } from "masthead-client";

import { ADDRESS, client, serve, staff } from "./servers.js";

test("a wrong password is refused, and names the request", async () => {
  await assert.rejects(client().auth.logIn("admin", "wrong"), (error: { requestId?: string }) => {
    assert.match(error.requestId ?? "", /\w/);
    return true;
  });
});

test("a wrong password at a new login leaves the session", async () => {
  const made = await staff({ onSessionEnd: () => assert.fail("the session has ended") });

  await assert.rejects(made.auth.logIn("admin", "wrong"), { status: 401 });
  assert.equal((await made.get("/api/auth/check")).user.username, "admin");
});

test("a session is kept where the application says, and ends with the logout", async () => {
  let kept: Session | null = null;
  const sessions: SessionStore = { load: () => kept, save: (session) => (kept = session) };
  const first = await staff({ sessions });
  assert.equal(first.auth.expired, false);

  const second = client({ sessions });
  assert.equal((await second.get("/api/auth/check")).user.username, "admin");
  await second.auth.logOut();

  assert.equal(second.auth.session, null);
  assert.equal(kept, null);
  await assert.rejects(second.get("/api/auth/check"), { status: 401 });
});

test("the end of a session is told once, and tells an expired one from a revoked one", async () => {
  const real = await staff();
  for (const [expiresAt, reason] of [
    ["2020-01-01T00:00:00.000Z", "expired"],
    ["2099-01-01T00:00:00.000Z", "refused"],
  ] as const) {
    const session: Session = { ...(real.auth.session as Session), token: "x.y.z", expiresAt };
    const ends: string[] = [];
    const late = client({
      sessions: { load: () => session, save: () => undefined },
      onSessionEnd: (why) => ends.push(why),
    });
    assert.equal(late.auth.expired, reason === "expired");
    const both = [late.get("/api/staff/news"), late.get("/api/staff/events")];
    await Promise.all(both.map((asked) => assert.rejects(asked, { status: 401 })));
    assert.deepEqual(ends, [reason]);
    assert.equal(late.auth.session, null);
  }
});

test("the token is sent to the API only", async () => {
  const elsewhere = await serve((_request, response) => void response.end("[]"));
  const made = await staff();

  await made.get("/api/news", { baseUrl: elsewhere.baseUrl });

  assert.equal(elsewhere.received[0]?.headers.authorization, undefined);
  assert.equal(new MastheadClient({ baseUrl: ADDRESS }).auth.session, null);
});
