"""Check the metadata, the README and the files of a wheel and an sdist before publication."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import html5lib
from packaging.metadata import Metadata
from readme_renderer import markdown
from trove_classifiers import classifiers as known_classifiers

from tools.workspace import Distribution, repository, required_core

EXPECTED = ("summary", "description", "author", "requires_python", "keywords", "classifiers")
ANCHOR = "#user-content-"
"""The beginning of a link to a heading of the same page, after an index has rendered it."""


@dataclass(frozen=True)
class Artefact:
    """A wheel or an sdist: its raw metadata and the paths of its files."""

    path: Path
    metadata: bytes
    files: frozenset[str]


def problems(distribution: Distribution, folder: Path) -> Iterator[str]:
    """Yield a line for each problem of the distribution's wheel and sdist."""
    stem = distribution.stem
    wheel = read_wheel(folder / f"{stem}-py3-none-any.whl")
    sdist = read_sdist(folder / f"{stem}.tar.gz")
    for artefact, expected in (
        (wheel, files_of_wheel(distribution)),
        (sdist, files_of_sdist(distribution)),
    ):
        name = artefact.path.name
        yield from (f"{name}: lacks {path}" for path in sorted(expected - artefact.files))
        yield from (f"{name}: should not hold {path}" for path in sorted(artefact.files - expected))
        found = problems_of_metadata(artefact.metadata, needs_core=distribution.needs_core)
        yield from (f"{name}: {line}" for line in found)


def read_wheel(path: Path) -> Artefact:
    """Read a wheel."""
    with zipfile.ZipFile(path) as archive:
        names = frozenset(archive.namelist())
        [metadata] = [name for name in names if name.endswith(".dist-info/METADATA")]
        return Artefact(path, archive.read(metadata), names)


def read_sdist(path: Path) -> Artefact:
    """Read an sdist."""
    root = path.name.removesuffix(".tar.gz")
    with tarfile.open(path) as archive:
        names = (member.name for member in archive if member.isfile())
        files = frozenset(name.removeprefix(f"{root}/") for name in names)
        content = archive.extractfile(f"{root}/PKG-INFO")
        assert content is not None
        return Artefact(path, content.read(), files)


def files_of_wheel(distribution: Distribution) -> frozenset[str]:
    """Return the expected paths of the wheel: the package, its metadata and its licence."""
    info = f"{distribution.stem}.dist-info"
    names = ["METADATA", "RECORD", "WHEEL", *["entry_points.txt"] * distribution.is_plugin]
    written = {f"{info}/{name}" for name in names}
    licenses = {f"{info}/licenses/{name}" for name in distribution.license_files}
    return frozenset(_package(distribution) | written | licenses)


def files_of_sdist(distribution: Distribution) -> frozenset[str]:
    """Return the expected paths of the sdist: the files from which the wheel is built."""
    named = {"PKG-INFO", "pyproject.toml", "README.md", *distribution.license_files}
    return frozenset(_package(distribution) | named)


def _package(distribution: Distribution) -> set[str]:
    return {name for name in distribution.files() if name.startswith(f"{distribution.package}/")}


def problems_of_metadata(content: bytes, *, needs_core: bool) -> Iterator[str]:
    """Yield a line for each invalid value and for each missing one."""
    try:
        metadata = Metadata.from_email(content)
    except ExceptionGroup as group:
        yield from map(str, group.exceptions)
        return
    yield from (f"has no {name}" for name in EXPECTED if not getattr(metadata, name))
    if metadata.license_expression != "MIT" or "LICENSE" not in (metadata.license_files or ()):
        yield "does not say that its license is MIT, or lacks its text"
    for classifier in metadata.classifiers or ():
        if classifier not in known_classifiers or classifier.startswith("License ::"):
            yield f"has the unknown or outdated classifier {classifier}"
    core = [str(each) for each in metadata.requires_dist or () if each.name == "masthead-core"]
    wanted = required_core(str(metadata.version))
    if needs_core and [_sorted(each) for each in core] != [_sorted(wanted)]:
        yield f"requires {' and '.join(core) or 'no core'}, not {wanted}"
    if repository() and not metadata.project_urls:
        yield "has no project URLs"
    yield from problems_of_readme(metadata.description or "")


def _sorted(requirement: str) -> list[str]:
    return sorted(requirement.removeprefix("masthead-core").split(","))


def problems_of_readme(text: str) -> Iterator[str]:
    """Yield a line for each broken link of a README that an index has rendered."""
    warnings = StringIO()
    rendered = markdown.render(text, stream=warnings)
    if rendered is None:
        yield f"has a README that can't be rendered: {warnings.getvalue()}"
        return
    elements = list(html5lib.parseFragment(rendered, namespaceHTMLElements=False).iter())
    targets = {f"#{element.get('id')}" for element in elements}
    for element in elements:
        link = element.get("href") or element.get("src") or "https:"
        leads = link in targets if link.startswith("#") else link.startswith(("https:", "mailto:"))
        if not leads:
            yield f"has a README with a link that leads nowhere: {link.replace(ANCHOR, '#')}"
