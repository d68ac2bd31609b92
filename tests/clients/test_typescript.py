"""The TypeScript client: its package, its generated types, its tests in Node.js, and READMEs."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import ROOT, Run, run_program

pytestmark = pytest.mark.slow

CLIENT = ROOT / "clients" / "typescript"
_LARGEST = 10_000
"""The number of bytes that the client with its dependencies may have, compressed."""
_TESTS = sorted(path.name.partition(".")[0] for path in CLIENT.glob("tests/*.test.ts"))
_WALKED = {
    "front": ROOT / "README.md",
    "page": ROOT / "docs" / "clients.md",
    "client": CLIENT / "README.md",
}
"""The pages with TypeScript, by the names of the programs that are made from them."""
_ADDRESS = "http://127.0.0.1:6543"
_OPTIONS = ("--default-non-nullable", "false")


@pytest.fixture(scope="module")
def compiled(packed: Path, node_modules: Path) -> Path:
    """The folder with the compiled tests, and the blocks of each README as one program."""
    for source in CLIENT.glob("tests/*"):
        (packed / source.name).write_bytes(source.read_bytes())
    # Blocks show how to import types that were generated for an instance.
    (packed / "schema.d.ts").write_bytes((CLIENT / "src" / "schema.ts").read_bytes())
    for name, page in _WALKED.items():
        blocks = re.findall(r"^```ts\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        assert blocks
        (packed / f"{name}.ts").write_text("\n".join(blocks))
    run_program(node_modules, packed, "tsc", "--project", ".")
    return packed


def _node(folder: Path, address: str, password: str, *arguments: object) -> None:
    environ = {**os.environ, "MASTHEAD_ADDRESS": address, "MASTHEAD_PASSWORD": password}
    done = subprocess.run(
        ["node", *map(str, arguments)],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_the_generated_types_are_those_of_the_document(api: Path, run: Run, tmp_path: Path) -> None:
    run("openapi-typescript", api, *_OPTIONS, "--output", tmp_path / "schema.ts")

    kept = (CLIENT / "src" / "schema.ts").read_text("utf-8")
    assert kept == (tmp_path / "schema.ts").read_text("utf-8"), (
        "generate them again: npm run schema, in clients/typescript"
    )


def test_the_package_has_the_client_and_no_other_files(packed: Path) -> None:
    package = packed / "node_modules" / "masthead-client"
    found = {path.relative_to(package) for path in package.rglob("*") if path.is_file()}

    modules = {path.stem for path in CLIENT.glob("src/*.ts")}
    built = {Path(f"dist/{name}{end}") for name in modules for end in (".js", ".js.map", ".d.ts")}
    fixed = {Path(name) for name in ("LICENSE", "README.md", "package.json")}
    assert found == built | fixed
    assert (package / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_client_is_small(packed: Path, node_modules: Path) -> None:
    (packed / "all.js").write_text('export * from "masthead-client";')
    options = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--outfile=all.min.js")
    run_program(node_modules, packed, "esbuild", "all.js", *options)

    assert len(gzip.compress((packed / "all.min.js").read_bytes())) < _LARGEST


@pytest.mark.parametrize("name", _TESTS)
def test_the_client_works_in_node(name: str, compiled: Path, demo_site: Any) -> None:
    password = demo_site.printed_value("password")

    _node(compiled, demo_site.address, password, "--test", f"built/{name}.test.js")


@pytest.mark.parametrize("name", _WALKED)
def test_the_blocks_of_a_readme_run(name: str, compiled: Path, demo_site: Any) -> None:
    program = compiled / "built" / f"{name}.js"
    text = program.read_text("utf-8").replace(_ADDRESS, demo_site.address)
    program.write_text(text.replace("…", demo_site.printed_value("password")))

    _node(compiled, demo_site.address, "", program)
