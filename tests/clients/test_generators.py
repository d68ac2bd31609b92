"""Generators of clients understand the document, and their code compiles in strict mode."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.conftest import FOLDER, Run

pytestmark = [pytest.mark.exhaustive, pytest.mark.any_database]

_PYTHON_GENERATOR = "openapi-python-client==0.29.1"
_USE = """\
import createClient from "openapi-fetch";
import { newsList, type NewsArticleUpdate } from "./sdk";
import type { components, paths } from "./schema";

const change: NewsArticleUpdate = { title: "Open again", tagIds: [1] };
const client = createClient<paths>({ baseUrl: "http://127.0.0.1" });
export async function titles(): Promise<string[]> {
  const first = await newsList({ query: { limit: 10, tag: "river" } });
  const articles: components["schemas"]["NewsArticleSummary"][] = first.data ?? [];
  const { data, error } = await client.GET("/api/news/{slug}", { params: { path: { slug: "a" } } });
  const slug: string | undefined = data?.slug;
  const reason: string | undefined = error?.error;
  const article: components["schemas"]["NewsArticle"] | undefined = data;
  const date: string = article === undefined ? "" : article.publishedAt;
  const titles = articles.map((each) => each.title.trim());
  return [...titles, slug ?? reason ?? "", date, change.title ?? ""];
}
"""


def test_generated_typescript_compiles_in_strict_mode(api: Path, run: Run, tmp_path: Path) -> None:
    run(
        "openapi-ts",
        "--input",
        api,
        "--output",
        tmp_path / "sdk",
        "--client",
        "@hey-api/client-fetch",
    )
    run("openapi-typescript", api, "--output", tmp_path / "schema.ts")
    (tmp_path / "use.ts").write_text(_USE)
    shutil.copy(FOLDER / "tsconfig.json", tmp_path)

    run("tsc", "--project", ".")

    types = (tmp_path / "sdk" / "types.gen.ts").read_text()
    exported = re.findall(r"^export type (\w+)", types, re.MULTILINE)
    assert {"NewsArticle", "NewsArticleUpdate", "NavigationItem", "Tag"} <= set(exported)


def test_the_generated_python_client_compiles(api: Path, tmp_path: Path) -> None:
    uv = shutil.which("uv") or next((FOLDER.parents[1] / ".dev" / "uv").glob("**/uv"), None)
    if uv is None:
        pytest.skip("no uv, which runs the generator")
    target = tmp_path / "client"
    command = [uv, "tool", "run", "--from", _PYTHON_GENERATOR, "openapi-python-client", "generate"]
    done = subprocess.run(
        [*command, "--path", api, "--output-path", target, "--meta", "none"],
        capture_output=True,
        text=True,
        check=False,
    )
    if "No solution found" in done.stderr or "Failed to fetch" in done.stderr:
        pytest.skip(f"uv can't install the generator: {done.stderr.strip()[-500:]}")

    assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run([sys.executable, "-m", "compileall", "-q", target], check=True)
    assert (target / "models" / "news_article_update.py").exists()
