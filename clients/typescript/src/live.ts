import { EventSourceParserStream } from "eventsource-parser/stream";

import { MastheadError, NetworkError } from "./errors.js";
import { PASSING, sleep } from "./retry.js";

/** A change that a stream of live events tells. */
export type LiveEvent =
  | { event: "notifications"; data: { unread: number; latest: number | null } }
  | {
      event: "changed";
      data: {
        contentType: string;
        /** The item, or null if something in the type has changed. */
        id: number | null;
        /** The revision of the item, or null if it is gone. */
        etag: string | null;
        approvalStatus: string | null;
      };
    }
  | {
      event: "presence";
      data: {
        contentType: string;
        id: number;
        /** The other users who have the item open. */
        others: readonly {
          user: { id: number; username: string; displayName: string | null };
          editing: boolean;
        }[];
      };
    };

/** The options of a stream of live events. */
export interface LiveOptions {
  /** Items to follow, such as `"news:7"`. */
  watch?: readonly string[];
  /** Content types to follow, such as `"news"`. */
  types?: readonly string[];
  /** Ends the stream. */
  signal?: AbortSignal;
}

/** Opens a stream that continues after the event with an id. */
export type OpenStream = (lastEventId: string | undefined) => Promise<ReadableStream<unknown>>;

const LONGEST_DELAY = 60_000;

/**
 * Yields live events until the signal is aborted. After the end of a stream, a broken connection or
 * an answer of a busy server, it opens the next stream. Other errors are thrown, such as that of a
 * token that is no longer valid.
 */
export async function* liveEvents(
  open: OpenStream,
  signal?: AbortSignal,
): AsyncGenerator<LiveEvent, void, undefined> {
  let last: string | undefined;
  let delay = 1000;
  for (let failures = 0; !signal?.aborted; ) {
    try {
      const parser = new EventSourceParserStream({ onRetry: (wanted) => (delay = wanted) });
      const bytes = (await open(last)) as ReadableStream<BufferSource>;
      const stream = bytes.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
      for await (const { event, data, id } of chunksOf(stream)) {
        failures = 0;
        last = id ?? last;
        yield { event, data: JSON.parse(data) as unknown } as LiveEvent;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayPass(error)) throw error;
      failures++;
    }
    await sleep(Math.min(delay * 2 ** failures, LONGEST_DELAY), signal).catch(() => undefined);
  }
}

/** Yields the chunks of a stream, and cancels it if the caller ends the loop. */
async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Whether the next stream may succeed; `fetch` reports a broken connection as a TypeError. */
function mayPass(error: unknown): boolean {
  if (error instanceof MastheadError) return PASSING.includes(error.status);
  return error instanceof NetworkError || error instanceof TypeError;
}
