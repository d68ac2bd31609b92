import { NetworkError } from "./errors.js";

/** Sends a request and returns the answer, as `globalThis.fetch` does. */
export type Fetch = (request: Request) => Promise<Response>;

/**
 * Returns a function that sends requests over the network and reads answers completely, so that a
 * broken connection fails while the request can still be repeated. Streams of events stay open.
 */
export function networkFetch(send: Fetch): Fetch {
  return async (request) => {
    try {
      return await received(await send(request));
    } catch (error) {
      // An abort keeps the reason that the caller gave.
      request.signal.throwIfAborted();
      throw new NetworkError(request, error);
    }
  };
}

async function received(response: Response): Promise<Response> {
  const streamed = response.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
  if (response.body === null || streamed) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}
