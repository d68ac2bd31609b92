import type { Client } from "openapi-fetch";

import type { Fetch } from "./fetch.js";
import type { paths } from "./schema.js";
import type { Schemas } from "./types.js";

/** A login: the token, the time at which it expires, and its user. */
export type Session = Schemas["LoggedIn"];

/** A place for the session, such as the storage of a browser tab. */
export interface SessionStore {
  load(): Session | null;
  save(session: Session | null): void;
}

/** The part of `Storage` that keeps a session. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The options of the login. */
export interface AuthOptions {
  /** The place of the session; by default, it is only in memory. */
  sessions?: SessionStore;
  /** Is called when the server has refused the token, which is then forgotten. */
  onSessionEnd?: (reason: "expired" | "refused") => void;
}

/** Returns a place for the session in `sessionStorage` or `localStorage`. */
export function webSessions(
  storage: TextStorage,
  key = "masthead-session",
): SessionStore {
  return {
    load: () => parsed(storage.getItem(key)),
    save: (session) => storage.setItem(key, JSON.stringify(session)),
  };
}

function parsed(text: string | null): Session | null {
  try {
    return JSON.parse(text ?? "null") as Session | null;
  } catch {
    return null;
  }
}

/** Logs in and out, and adds the token to requests. */
export class Auth {
  readonly #http: Client<paths>;
  readonly #options: AuthOptions;
  #session: Session | null;

  constructor(http: Client<paths>, options: AuthOptions) {
    this.#http = http;
    this.#options = options;
    this.#session = options.sessions?.load() ?? null;
  }

  /** The session, or null without one. */
  get session(): Session | null {
    return this.#session;
  }

  /** Whether the time has come at which the token of the session expires. */
  get expired(): boolean {
    return this.#session !== null && Date.parse(this.#session.expiresAt) <= Date.now();
  }

  /** Logs in with a username or an e-mail address; the second step needs a code. */
  async logIn(username: string, password: string, code?: string): Promise<Session> {
    const body = { username, password, ...(code !== undefined && { code }) };
    const { data } = await this.#http.POST("/api/auth/login", { body });
    // Answers with an error status throw.
    const session = data as Session;
    this.#keep(session);
    return session;
  }

  /** Forgets the session. The server keeps no tokens: a copy stays valid until it expires. */
  async logOut(): Promise<void> {
    if (this.#session === null) return;
    try {
      await this.#http.POST("/api/auth/logout");
    } finally {
      this.#keep(null);
    }
  }

  /** Returns a function that sends the token to one origin, and forgets it if it is refused. */
  withToken(next: Fetch, origin: string): Fetch {
    return async (request) => {
      const session = this.#session;
      const { origin: asked, pathname } = new URL(request.url);
      // A wrong password at a new login doesn't end the session.
      const isOther = asked !== origin || pathname.endsWith("/api/auth/login");
      if (session === null || isOther || request.headers.has("Authorization")) return next(request);
      request.headers.set("Authorization", `Bearer ${session.token}`);
      const response = await next(request);
      if (response.status === 401 && session === this.#session) this.#end();
      return response;
    };
  }

  #end(): void {
    const reason = this.expired ? "expired" : "refused";
    this.#keep(null);
    this.#options.onSessionEnd?.(reason);
  }

  #keep(session: Session | null): void {
    this.#session = session;
    this.#options.sessions?.save(session);
  }
}
