"""Fixtures: core and media, generated images, an S3 server, and ExifTool to read metadata."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from PIL import Image, ImageCms
from webtest.forms import Upload

from masthead import Instance, Plugin
from masthead.testing import Client
from masthead_media.plugin import plugin as media


@pytest.fixture
def plugins() -> list[Plugin]:
    return [media]


def _noise(width: int, height: int, mode: str, seed: int) -> Image.Image:
    """Return a picture of random pixels."""
    size = width * height * len(Image.new(mode, (1, 1)).getbands())
    return Image.frombytes(mode, (width, height), random.Random(seed).randbytes(size))


@pytest.fixture(scope="session")
def picture() -> Callable[..., bytes]:
    """Make an image: ``picture("JPEG", 200, 100, seed=2)`` with options of Pillow's ``save``."""

    def make(
        form: str = "PNG",
        width: int = 40,
        height: int = 30,
        *,
        mode: str = "RGB",
        seed: int = 1,
        **options: Any,
    ) -> bytes:
        file = BytesIO()
        _noise(width, height, mode, seed).save(file, form, **options)
        return file.getvalue()

    return make


@pytest.fixture(scope="session")
def animation() -> Callable[..., bytes]:
    """Make an animation of three frames that loops twice: ``animation("GIF", 200, 100)``."""

    def make(form: str, width: int = 40, height: int = 30, **options: Any) -> bytes:
        file = BytesIO()
        first, *others = (_noise(width, height, "RGB", seed) for seed in range(3))
        moving = {"save_all": True, "append_images": others, "duration": [50, 70, 90], "loop": 2}
        first.save(file, form, **moving, **options)
        return file.getvalue()

    return make


@pytest.fixture(scope="session")
def opened() -> Callable[[bytes], Image.Image]:
    """Open an image by Pillow."""
    return lambda content: Image.open(BytesIO(content))


@pytest.fixture(scope="session")
def profile() -> bytes:
    """Return a colour profile."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


@pytest.fixture
def editor(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def submit(app: Client) -> Callable[..., Any]:
    """Upload bytes as a visitor, and return the body of the answer."""

    def send(content: bytes, status: int = 200, **fields: str) -> Any:
        form = {"file": Upload("a.png", content, "image/png"), **fields}
        return app.post("/api/ycs/upload/image", form, status=status).json

    return send


@pytest.fixture
def kept(instance: Instance) -> Callable[[], list[str]]:
    """Return the keys of everything in the storage."""

    def keys() -> list[str]:
        folder = instance.data / "media"
        return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())

    return keys


@pytest.fixture
def read_tags(tmp_path: Path) -> Callable[[bytes], dict[str, Any]]:
    """Read all metadata of a file by ExifTool, which knows the most kinds of it."""
    program = shutil.which("exiftool")
    if program is None and not os.environ.get("CI"):
        pytest.skip("exiftool isn't installed (on Debian: apt install libimage-exiftool-perl)")
    assert program is not None

    def read(content: bytes) -> dict[str, Any]:
        file = tmp_path / "read"
        file.write_bytes(content)
        asked = [program, "-json", "-G1", "-a", "-u", "-n", str(file)]
        done = subprocess.run(asked, capture_output=True, check=False)
        [tags] = json.loads(done.stdout)
        added = ("SourceFile", "ExifTool:", "System:", "File:", "Composite:")
        found = {name: value for name, value in tags.items() if not name.startswith(added)}
        return found | {name: tags[name] for name in tags if name.endswith(":Comment")}

    return read


_S3_KEYS = {"access_key_id": "testing", "secret_access_key": "testing"}


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """Run an S3 server on this machine."""
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    app = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def bucket(endpoint: str) -> Iterator[Any]:
    """Create a bucket on the S3 server."""
    import boto3

    names = {f"aws_{name}": value for name, value in _S3_KEYS.items()}
    client = boto3.resource("s3", endpoint_url=endpoint, region_name="eu-central-1", **names)
    where = {"LocationConstraint": "eu-central-1"}
    made = client.create_bucket(Bucket=f"b{os.urandom(8).hex()}", CreateBucketConfiguration=where)
    yield made
    client.meta.client.close()


@pytest.fixture
def s3_url(endpoint: str, bucket: Any) -> str:
    """Return a storage with a prefix in the bucket."""
    options = "&".join(f"{name}={value}" for name, value in _S3_KEYS.items())
    return f"s3://{bucket.name}/site/media?endpoint={endpoint}&region=eu-central-1&{options}"
