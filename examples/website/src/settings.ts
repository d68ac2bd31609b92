/** The settings of the build, from environment variables. */
export const settings = {
  /** The address of the API. */
  api: (process.env.MASTHEAD_API ?? "http://127.0.0.1:6543").replace(/\/$/, ""),
  /** The address of this website. */
  site: (process.env.SITE_URL ?? "https://www.example.org").replace(/\/$/, ""),
  /** The folder of the website. */
  output: process.env.OUTPUT ?? "site",
  /** The file with the answers of the previous build. */
  cache: process.env.CACHE ?? ".cache/answers.json",
  /** The number of items on a page of a list. */
  itemsPerPage: 20,
};

/** Returns the absolute address of a path of the API, such as that of an image. */
export function apiAddress(path: string): string {
  return path.startsWith("/") ? settings.api + path : path;
}
