import type { Fetch } from "./fetch.js";
import type { Schemas } from "./types.js";

/** A wrong field of a request: its path, such as `mission.content`, a stable code, and a message. */
export type FieldProblem = Schemas["Problem"];

/** An answer with an error status. */
export class MastheadError extends Error {
  /** The status of the answer, such as 400. */
  readonly status: number;
  /** The wrong fields of the request, if the server names some. */
  readonly fields: readonly FieldProblem[];
  /** The `X-Request-Id` of the answer, with which the server's log has the request. */
  readonly requestId: string | null;
  /** The present address of an item that has left the requested slug. */
  readonly movedTo: Schemas["MovedTo"] | null;

  constructor(response: Response, problem: Partial<Schemas["Error"]>) {
    super(problem.error ?? `${response.status} ${response.statusText}`.trim());
    this.name = new.target.name;
    this.status = response.status;
    this.fields = problem.fields ?? [];
    this.requestId = response.headers.get("X-Request-Id");
    this.movedTo = problem.movedTo ?? null;
  }

  /** Returns the problem of the field with a path, such as `title`. */
  field(path: string): FieldProblem | undefined {
    return this.fields.find((each) => each.path === path);
  }
}

/** The answer 412: somebody else has changed the item since it was read. */
export class PreconditionFailedError extends MastheadError {}

/** A request that got no answer, or none that is complete and JSON. `cause` has the reason. */
export class NetworkError extends Error {
  constructor(request: Pick<Request, "method" | "url">, cause: unknown) {
    super(`No answer to ${request.method} ${request.url}`, { cause });
    this.name = new.target.name;
  }
}

/** Returns a function that throws a {@link MastheadError} for an answer with an error status. */
export function withErrors(next: Fetch): Fetch {
  return async (request) => {
    const response = await next(request);
    if (response.ok) return response;
    const problem = parsed(await response.text());
    throw response.status === 412
      ? new PreconditionFailedError(response, problem)
      : new MastheadError(response, problem);
  };
}

/** Returns the JSON of an error, or nothing for the page of a proxy. */
function parsed(text: string): Partial<Schemas["Error"]> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
