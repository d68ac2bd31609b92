import type { Fetch } from "./fetch.js";

/** An answer that is kept with its entity tag. It is JSON, so that it can be stored in a file. */
export interface KeptAnswer {
  etag: string;
  headers: [string, string][];
  body: string;
}

/** A place for answers, by their addresses. */
export interface AnswerStore {
  get(address: string): KeptAnswer | undefined | Promise<KeptAnswer | undefined>;
  set(address: string, answer: KeptAnswer): void | Promise<void>;
}

/** A store in memory, which forgets the answers that were not used for the longest time. */
export class MemoryStore implements AnswerStore {
  readonly #answers = new Map<string, KeptAnswer>();
  readonly #capacity: number;
  #size = 0;

  /** @param capacity The greatest number of characters of all answers together. */
  constructor(capacity = 10_000_000) {
    this.#capacity = capacity;
  }

  get(address: string): KeptAnswer | undefined {
    const answer = this.#answers.get(address);
    if (answer !== undefined) this.set(address, answer);
    return answer;
  }

  set(address: string, answer: KeptAnswer): void {
    this.#forget(address);
    this.#answers.set(address, answer);
    this.#size += weight(address, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= this.#capacity) break;
      this.#forget(oldest);
    }
  }

  /** Returns all answers, for example to store them between two runs. */
  entries(): IterableIterator<[string, KeptAnswer]> {
    return this.#answers.entries();
  }

  #forget(address: string): void {
    const answer = this.#answers.get(address);
    if (answer === undefined) return;
    this.#answers.delete(address);
    this.#size -= weight(address, answer);
  }
}

/** The options of kept answers. */
export interface CacheOptions {
  store: AnswerStore;
  /**
   * Whether answers to requests with a token are kept, too; not by default. The store must then
   * belong to one user.
   */
  withToken?: boolean;
}

const TEXT = /^(text\/(?!event-stream)|application\/(.*[+])?(json|xml)\b)/;

/**
 * Returns a function that keeps answers with an entity tag, asks the server whether they have
 * changed, and returns the kept one if not.
 */
export function withCache(next: Fetch, { store, withToken = false }: CacheOptions): Fetch {
  return async (request) => {
    const free = withToken || !request.headers.has("Authorization");
    if (!free || request.method !== "GET" || request.headers.has("If-None-Match")) {
      return next(request);
    }
    const kept = await store.get(request.url);
    if (kept === undefined) return keep(store, request.url, await next(request));
    const asked = new Request(request);
    asked.headers.set("If-None-Match", kept.etag);
    const response = await next(asked);
    if (response.status === 304) return new Response(kept.body, { headers: kept.headers });
    return keep(store, request.url, response);
  };
}

async function keep(store: AnswerStore, address: string, response: Response): Promise<Response> {
  const etag = response.headers.get("ETag");
  const isText = TEXT.test(response.headers.get("Content-Type") ?? "");
  if (response.status === 200 && etag !== null && isText) {
    const body = await response.clone().text();
    await store.set(address, { etag, headers: [...response.headers], body });
  }
  return response;
}

function weight(address: string, answer: KeptAnswer): number {
  return address.length + answer.body.length;
}
