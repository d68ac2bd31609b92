import type { MaybeOptionalInit, ParseAsResponse } from "openapi-fetch";
import type {
  FilterKeys,
  HttpMethod,
  OkStatus,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
} from "openapi-typescript-helpers";

import type { components } from "./schema.js";

/** The named types of the OpenAPI document, such as `Schemas["NewsArticle"]`. */
export type Schemas = components["schemas"];

/** The media types of an operation's successful answers. */
type Content<Operation> =
  FilterKeys<ResponseObjectMap<Operation>, OkStatus> extends infer Response
    ? Response extends { content: infer Media }
      ? Media
      : never
    : never;

/** The JSON of an operation's answer; text if it answers no JSON. */
export type DataOf<Operation> =
  Content<Operation> extends infer Media
    ? Media extends { "application/json": infer Json }
      ? Json
      : Media[keyof Media]
    : never;

type Query<Init, Name extends string> = Init extends {
  params: { query: Record<Name, readonly (infer Value)[]> };
}
  ? Value
  : never;

/** The members that are present because the query asks for them. */
type Asked<Item, Name> = Required<Pick<Item, Extract<keyof Item, Name>>>;

/** The item with the chosen `fields`; each is optional if the choice isn't known to the compiler. */
type Chosen<Item, Field> = [Field] extends [never]
  ? Item
  : [keyof Item] extends [Field]
    ? Partial<Item>
    : Asked<Item, Field>;

type Shaped<Item, Init> = [Query<Init, "include">] extends [never]
  ? Chosen<Item, Query<Init, "fields">>
  : Chosen<Item, Query<Init, "fields">> & Asked<Item, Query<Init, "include">>;

/** The answer, as `fields` and `include` of the query shape it. */
type ShapedAnswer<Data, Init> = Data extends readonly (infer Item)[]
  ? Shaped<Item, Init>[]
  : Shaped<Data, Init>;

/** The operation of a path and a method. */
export type Operation<Paths, Path extends keyof Paths, Method extends HttpMethod> = FilterKeys<
  Paths[Path],
  Method
>;

/** The answer to a request with the options `Init`. */
export type Answer<Paths, Path extends keyof Paths, Method extends HttpMethod, Init> =
  ParseAsResponse<ShapedAnswer<DataOf<Operation<Paths, Path, Method>>, Init>, Init>;

/** The paths whose `GET` answers an array. */
export type ListPaths<Paths extends object> = {
  [Path in PathsWithMethod<Paths, "get">]: DataOf<
    Operation<Paths, Path, "get">
  > extends readonly unknown[]
    ? Path
    : never;
}[PathsWithMethod<Paths, "get">];

/** The paths that can be read, and changed by `PUT`. */
export type EditPaths<Paths extends object> = PathsWithMethod<Paths, "get"> &
  PathsWithMethod<Paths, "put">;

/** The paths that take a form with one file. */
export type UploadPaths<Paths extends object> = {
  [Path in PathsWithMethod<Paths, "post">]: Operation<Paths, Path, "post"> extends {
    requestBody: { content: { "multipart/form-data": { file: string } } };
  }
    ? Path
    : never;
}[PathsWithMethod<Paths, "post">];

/** The body of a change. */
export type BodyOf<Operation> = Operation extends {
  requestBody?: { content: { "application/json": infer Body } };
}
  ? Body
  : never;

/** The options of a request. */
export type InitOf<Paths, Path extends keyof Paths, Method extends HttpMethod> = MaybeOptionalInit<
  Paths[Path],
  Method & keyof Paths[Path]
>;

/** The options as the last parameter, which is optional if the request needs none. */
export type InitParam<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];

/** Sends a request with one method. */
export type Call<Paths extends object, Method extends HttpMethod> = <
  Path extends PathsWithMethod<Paths, Method>,
  Init extends InitOf<Paths, Path, Method>,
>(
  path: Path,
  ...init: InitParam<Init>
) => Promise<Answer<Paths, Path, Method, Init>>;
