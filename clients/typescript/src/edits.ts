/** Sends a request about the item with `If-Match`. */
export interface EditRequests<Item, Changes> {
  read(): Promise<{ item: Item; response: Response }>;
  write(changes: Changes, etag: string | null): Promise<{ item: Item; response: Response }>;
  remove(etag: string | null): Promise<void>;
}

/**
 * An item that was read to be changed. A change that somebody else has made since then isn't
 * overwritten: {@link Edit.save} and {@link Edit.remove} throw a `PreconditionFailedError`.
 */
export class Edit<Item, Changes> {
  readonly #requests: EditRequests<Item, Changes>;
  #item: Item;
  #etag: string | null;

  private constructor(requests: EditRequests<Item, Changes>, item: Item, response: Response) {
    this.#requests = requests;
    this.#item = item;
    this.#etag = response.headers.get("ETag");
  }

  /** Reads an item. */
  static async open<Item, Changes>(
    requests: EditRequests<Item, Changes>,
  ): Promise<Edit<Item, Changes>> {
    const { item, response } = await requests.read();
    return new Edit(requests, item, response);
  }

  /** The item as it was read or saved last. */
  get item(): Item {
    return this.#item;
  }

  /** The revision of the item, as live events show it. */
  get etag(): string | null {
    return this.#etag;
  }

  /** Reads the item again, for example to repeat a change after a conflict. */
  async reload(): Promise<Item> {
    return this.#take(await this.#requests.read());
  }

  /** Saves changed fields; others are kept. Returns the item. */
  async save(changes: Changes): Promise<Item> {
    return this.#take(await this.#requests.write(changes, this.#etag));
  }

  /** Deletes the item. */
  async remove(): Promise<void> {
    await this.#requests.remove(this.#etag);
  }

  #take({ item, response }: { item: Item; response: Response }): Item {
    this.#item = item;
    this.#etag = response.headers.get("ETag");
    return item;
  }
}
