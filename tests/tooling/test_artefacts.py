"""The checks of wheels and sdists notice each problem."""

import io
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from tools.artefacts import files_of_sdist, files_of_wheel, problems, problems_of_readme
from tools.workspace import Distribution, required_core

ROOT = Path(__file__).parents[2]
NEWS = Distribution(ROOT / "plugins/news")
METADATA = f"""\
Metadata-Version: 2.4
Name: masthead-news
Version: {NEWS.version}
Summary: News.
Keywords: cms,news
Author: Masthead contributors
Requires-Python: >=3.11
Description-Content-Type: text/markdown
License-Expression: MIT
Classifier: Framework :: Pyramid
License-File: LICENSE
Requires-Dist: sqlalchemy>=2.1
Requires-Dist: {required_core(NEWS.version)}

# News

Some [news](#news).
"""


def found(
    folder: Path,
    metadata: str = METADATA,
    lacking: Iterable[str] = (),
    surplus: Iterable[str] = (),
) -> list[str]:
    """Return the problems of a wheel and an sdist of news with the given metadata and files."""
    wheel = {*files_of_wheel(NEWS), *surplus}.difference(lacking)
    sdist = {*files_of_sdist(NEWS), *surplus}.difference(lacking)
    with zipfile.ZipFile(folder / f"{NEWS.stem}-py3-none-any.whl", "w") as archive:
        for name in wheel:
            archive.writestr(name, metadata)
    with tarfile.open(folder / f"{NEWS.stem}.tar.gz", "w:gz") as archive:
        for name in sdist:
            member = tarfile.TarInfo(f"{NEWS.stem}/{name}")
            member.size = len(metadata.encode())
            archive.addfile(member, io.BytesIO(metadata.encode()))
    return list(problems(NEWS, folder))


def test_what_is_complete_has_no_problem(tmp_path: Path) -> None:
    assert found(tmp_path) == []


def test_a_missing_module_is_noticed(tmp_path: Path) -> None:
    names = [f"{NEWS.stem}-py3-none-any.whl", f"{NEWS.stem}.tar.gz"]

    lines = found(tmp_path, lacking=["masthead_news/plugin.py"])

    assert lines == [f"{name}: lacks masthead_news/plugin.py" for name in names]


@pytest.mark.parametrize("name", ["tests/test_articles.py", "masthead_news/notes.txt"])
def test_a_file_that_git_does_not_track_and_a_test_are_noticed(tmp_path: Path, name: str) -> None:
    lines = found(tmp_path, surplus=[name])

    assert [line.partition(": ")[2] for line in lines] == [f"should not hold {name}"] * 2


def test_a_missing_license_is_noticed(tmp_path: Path) -> None:
    info = f"{NEWS.stem}.dist-info/licenses/LICENSE"

    lines = found(tmp_path, lacking=["LICENSE", info])

    assert [line.partition(": ")[2] for line in lines] == [f"lacks {info}", "lacks LICENSE"]


@pytest.mark.parametrize(
    ("line", "instead", "problem"),
    [
        ("Summary: News.\n", "", "has no summary"),
        ("Keywords: cms,news\n", "", "has no keywords"),
        ("Classifier: Framework :: Pyramid\n", "", "has no classifiers"),
        ("Framework :: Pyramid", "Framework :: Pyramids", "has the unknown or outdated classifier"),
        ("License-Expression: MIT\n", "", "does not say that its license is MIT"),
        ("License-File: LICENSE\n", "", "does not say that its license is MIT"),
        ("Requires-Python: >=3.11", "Requires-Python: 3-ish", "'3-ish' is invalid for"),
        (required_core(NEWS.version), "masthead-core>=0.1,<1", "requires masthead-core<1,>=0.1"),
        (f"Requires-Dist: {required_core(NEWS.version)}\n", "", "requires no core"),
        ("(#news)", "(../../README.md)", "has a README with a link that leads nowhere: ../../READ"),
        ("(#news)", "(#olds)", "has a README with a link that leads nowhere: #olds"),
    ],
)
def test_a_fault_of_the_metadata_is_noticed(
    tmp_path: Path, line: str, instead: str, problem: str
) -> None:
    assert line in METADATA

    lines = found(tmp_path, METADATA.replace(line, instead))

    assert len(lines) == 2  # of the wheel and of the sdist
    for each in lines:
        assert each.partition(": ")[2].startswith(problem)


def test_an_image_that_an_index_can_not_show_is_noticed() -> None:
    assert list(problems_of_readme("![logo](logo.png)")) == [
        "has a README with a link that leads nowhere: logo.png"
    ]
