/** Returns the JSON body of an HTML form: blank fields and files are left out. */
export function formBody(form: FormData, lists: readonly string[] = []): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
    const values = form.getAll(name).filter(isText);
    if (lists.includes(name)) body[name] = values;
    else if (values.length > 0) body[name] = values[0];
  }
  return body;
}
