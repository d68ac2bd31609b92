import { NetworkError } from "./errors.js";
import type { Fetch } from "./fetch.js";

/** The options of repeated requests. */
export interface RetryOptions {
  /** The number of repetitions of a request; 3 by default, 0 for none. */
  retries?: number;
  /** The longest delay before the first repetition, in milliseconds; it doubles each time. */
  firstDelay?: number;
  /** The longest delay, in milliseconds. A server that asks for a longer one isn't asked again. */
  maxDelay?: number;
}

/** The statuses whose reason may pass: too many requests, and servers that are busy or away. */
export const PASSING: readonly number[] = [429, 502, 503, 504];

/**
 * Returns a function that repeats a request that has failed for a passing reason, if a repetition
 * has no further effect: `GET`, `HEAD`, and requests with an `Idempotency-Key`.
 */
export function withRetries(next: Fetch, options: RetryOptions = {}): Fetch {
  const { retries = 3, firstDelay = 300, maxDelay = 20_000 } = options;
  return async (request) => {
    if (!isRepeatable(request)) return next(request);
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= retries;
      const outcome = await tried(next, last ? request : request.clone());
      const backoff = Math.min(maxDelay, firstDelay * 2 ** attempt);
      const delay = requestedDelay(outcome) ?? Math.random() * backoff;
      if (last || !isPassing(outcome) || delay > maxDelay) return settled(outcome);
      await sleep(delay, request.signal);
    }
  };
}

/** Resolves after some milliseconds, or rejects with the reason of an abort. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

function isRepeatable({ method, headers }: Request): boolean {
  return method === "GET" || method === "HEAD" || headers.has("Idempotency-Key");
}

function isPassing(outcome: Response | NetworkError): boolean {
  return outcome instanceof NetworkError || PASSING.includes(outcome.status);
}

async function tried(next: Fetch, request: Request): Promise<Response | NetworkError> {
  try {
    return await next(request);
  } catch (error) {
    if (error instanceof NetworkError) return error;
    throw error;
  }
}

function settled(outcome: Response | NetworkError): Response {
  if (outcome instanceof NetworkError) throw outcome;
  return outcome;
}

/** Returns the milliseconds of `Retry-After`, which has seconds or a date. */
function requestedDelay(outcome: Response | NetworkError): number | null {
  const value = outcome instanceof NetworkError ? null : outcome.headers.get("Retry-After");
  if (value === null) return null;
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(delay) ? null : Math.max(0, delay);
}
