// Is compiled and never run: the compiler knows the answers, and refuses mistakes.
import type { MastheadClient, Schemas } from "masthead-client";

export async function typed(masthead: MastheadClient): Promise<unknown[]> {
  const params = { path: { slug: "a" } };
  const article: Schemas["NewsArticle"] = await masthead.get("/api/news/{slug}", { params });
  // @ts-expect-error The slug is missing.
  await masthead.get("/api/news/{slug}");
  // @ts-expect-error There is no such path.
  await masthead.get("/api/newts");

  const chosen = await masthead.get("/api/news", { params: { query: { fields: ["id", "related"] } } });
  const related: object[] = chosen.flatMap((each) => each.related);
  // @ts-expect-error The title isn't among the fields.
  chosen.map((each) => each.title);
  // @ts-expect-error There is no such field.
  await masthead.get("/api/news", { params: { query: { fields: ["titel"] } } });

  const options = { params: { path: { id: 1 } } };
  const edit = await masthead.edit("/api/staff/news/{id}", options);
  const title: string = edit.item.title;
  // @ts-expect-error There is no such field.
  await edit.save({ titel: title });
  // @ts-expect-error A search is no list.
  masthead.pages("/api/search", { params: { query: { q: "a" } } });
  // @ts-expect-error This path takes no file.
  await masthead.upload("/api/staff/news", new Blob());
  return [article, related];
}
