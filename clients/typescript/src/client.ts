import createClient, { mergeHeaders, type Client, type HeadersOptions } from "openapi-fetch";
import type { HttpMethod, PathsWithMethod } from "openapi-typescript-helpers";

import { Auth, type AuthOptions } from "./auth.js";
import { withCache, type CacheOptions } from "./cache.js";
import { Edit } from "./edits.js";
import { NetworkError, withErrors } from "./errors.js";
import { networkFetch, type Fetch } from "./fetch.js";
import { formBody } from "./forms.js";
import { liveEvents, type LiveEvent, type LiveOptions } from "./live.js";
import { itemsOf } from "./paging.js";
import { withRetries, type RetryOptions } from "./retry.js";
import type { paths } from "./schema.js";
import type {
  Answer,
  BodyOf,
  Call,
  EditPaths,
  InitOf,
  InitParam,
  ListPaths,
  Operation,
  UploadPaths,
} from "./types.js";
import { fetchWithProgress, fileForm, type UploadOptions } from "./uploads.js";

/** The options of a client. */
export interface ClientOptions extends AuthOptions, RetryOptions {
  /** The address of the API, such as `https://api.example.org`. */
  baseUrl: string;
  /** The store of answers with entity tags; by default, none are kept. */
  cache?: CacheOptions;
  /** Sends requests; by default, `globalThis.fetch`. */
  fetch?: Fetch;
}

type Options = { params?: { query?: Record<string, unknown> }; headers?: HeadersOptions };
type Sent = { data?: unknown; response: Response };
type Send = (method: HttpMethod, path: string, init?: object) => Promise<Sent>;

/**
 * Sends requests to an instance of Masthead. An answer with an error status throws a
 * `MastheadError`, and a request without an answer a `NetworkError`.
 *
 * @typeParam Paths The paths of the instance, as openapi-typescript generates them; by default,
 * those of Masthead and its own plugins.
 */
export class MastheadClient<Paths extends object = paths> {
  /** The client of openapi-fetch, for middleware, headers of answers and other methods. */
  readonly http: Client<Paths>;
  /** The login. */
  readonly auth: Auth;
  /** Reads an address, and returns the answer. */
  readonly get: Call<Paths, "get">;
  /** Creates an item or starts an operation, and returns the answer. */
  readonly post: Call<Paths, "post">;
  /** Changes an item, and returns it. */
  readonly put: Call<Paths, "put">;
  /** Deletes an item. */
  readonly delete: Call<Paths, "delete">;

  readonly #options: ClientOptions;
  readonly #origin: string;
  readonly #send: Send;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#origin = new URL(options.baseUrl).origin;
    this.http = createClient<Paths>({
      baseUrl: options.baseUrl,
      // Lists in queries have commas, as the document declares.
      querySerializer: { array: { style: "form", explode: false } },
      fetch: (request) => this.#layers(this.#network)(request),
    });
    this.#send = async (method, path, init) => {
      try {
        return await (this.http.request as unknown as Send)(method, path, init);
      } catch (error) {
        // The page of a proxy with a status of success; JSON.parse throws a SyntaxError.
        if (error instanceof SyntaxError) throw new NetworkError({ method, url: path }, error);
        throw error;
      }
    };
    this.auth = new Auth(this.http as unknown as Client<paths>, options);
    this.get = this.#call("get");
    this.post = this.#call("post");
    this.put = this.#call("put");
    this.delete = this.#call("delete");
  }

  /** Yields the items of a list, and requests one page after the other. */
  pages<Path extends ListPaths<Paths>, Init extends InitOf<Paths, Path, "get">>(
    path: Path,
    ...[init]: InitParam<Init>
  ): AsyncGenerator<ItemOf<Answer<Paths, Path, "get", Init>>, void, undefined> {
    const options: Options = init ?? {};
    return itemsOf(async (query) => {
      const { data, response } = await this.#send("get", String(path), {
        ...options,
        params: { ...options.params, query },
      });
      return { items: data as ItemOf<Answer<Paths, Path, "get", Init>>[], response };
    }, options.params?.query ?? {});
  }

  /** Reads an item to change it, and protects the changes of others by `If-Match`. */
  edit<Path extends EditPaths<Paths>, Init extends InitOf<Paths, Path, "get">>(
    path: Path,
    ...[init]: InitParam<Init>
  ): Promise<Edit<Answer<Paths, Path, "get", Init>, BodyOf<Operation<Paths, Path, "put">>>> {
    const options: Options = init ?? {};
    const send = async (method: HttpMethod, etag: string | null, body?: unknown) => {
      const headers = mergeHeaders(options.headers, { "If-Match": etag });
      const { data, response } = await this.#send(method, String(path), { ...options, headers, body });
      return { item: data as Answer<Paths, Path, "get", Init>, response };
    };
    return Edit.open({
      read: () => send("get", null),
      write: (changes, etag) => send("put", etag, changes),
      remove: async (etag) => void (await send("delete", etag)),
    });
  }

  /** Uploads a file, and returns the answer. */
  async upload<Path extends UploadPaths<Paths>>(
    path: Path,
    file: Blob,
    { name, onProgress, signal }: UploadOptions = {},
  ): Promise<Answer<Paths, Path, "post", object>> {
    const send = onProgress ? fetchWithProgress(this.#network, onProgress) : this.#network;
    const { data } = await this.#send("post", String(path), {
      body: fileForm(file, name),
      bodySerializer: (form: FormData) => form,
      fetch: this.#layers(send),
      signal,
    });
    return data as Answer<Paths, Path, "post", object>;
  }

  /**
   * Sends the form of a page as JSON, without its blank fields.
   *
   * @param lists The names of the fields that are lists, such as `imageUrls`.
   */
  async submit<Path extends PathsWithMethod<Paths, "post">>(
    path: Path,
    form: FormData,
    lists: readonly string[] = [],
  ): Promise<Answer<Paths, Path, "post", object>> {
    const { data } = await this.#send("post", String(path), { body: formBody(form, lists) });
    return data as Answer<Paths, Path, "post", object>;
  }

  /** Yields notifications and changes as they happen, until the signal is aborted. */
  liveEvents({ watch, types, signal }: LiveOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
    return liveEvents(async (lastEventId) => {
      const query = { watch, types, lastEventId };
      const init = { params: { query }, parseAs: "stream", signal };
      const { data } = await this.#send("get", "/api/staff/live-events", init);
      return data as ReadableStream<unknown>;
    }, signal);
  }

  get #network(): Fetch {
    return this.#options.fetch ?? ((request) => fetch(request));
  }

  /** Returns the function that sends requests by way of all parts of the client. */
  #layers(send: Fetch): Fetch {
    const { cache } = this.#options;
    const repeated = withRetries(networkFetch(send), this.#options);
    const kept = cache ? withCache(repeated, cache) : repeated;
    return withErrors(this.auth.withToken(kept, this.#origin));
  }

  #call<Method extends HttpMethod>(method: Method): Call<Paths, Method> {
    const call = async (path: string, init?: object) => (await this.#send(method, path, init)).data;
    return call as unknown as Call<Paths, Method>;
  }
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;
