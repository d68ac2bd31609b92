import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

import { MastheadClient, type ClientOptions } from "masthead-client";

/** The address of a running instance with the demo content. */
export const ADDRESS = process.env.MASTHEAD_ADDRESS ?? "";
const PASSWORD = process.env.MASTHEAD_PASSWORD ?? "";

/** Returns a client of the instance. */
export function client(options: Partial<ClientOptions> = {}): MastheadClient {
  return new MastheadClient({ baseUrl: ADDRESS, ...options });
}

/** Returns a client that is logged in as the administrator. */
export async function staff(options: Partial<ClientOptions> = {}): Promise<MastheadClient> {
  const made = client(options);
  await made.auth.logIn("admin", PASSWORD);
  return made;
}

/** Returns a `fetch` that notes the status of each answer. */
export function noting(statuses: number[]): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await fetch(request);
    statuses.push(response.status);
    return response;
  };
}

/** Starts a server for one file of tests, and returns its address and the received requests. */
export async function serve(
  answer: RequestListener,
): Promise<{ baseUrl: string; received: IncomingMessage[] }> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
