"""Reports about images that are small and cost much: scans, frames and the quotas of visitors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from webtest.forms import Upload

from masthead.testing import Client
from plugins.media.tests import bombs

_MESSAGE = "Invalid file type. Only images are allowed."
NO_IMAGE = {
    "error": _MESSAGE,
    "fields": [{"path": "file", "code": "not_an_image", "message": _MESSAGE}],
}
SUBMIT = "/api/ycs/upload/image"


@pytest.mark.parametrize("number", [300, 2_000])
def test_libjpeg_turbo_2015_repeated_scans_are_refused(
    upload: Callable[..., Any], number: int
) -> None:
    """libjpeg-turbo, "Two Issues with the JPEG Standard": repeated scans took minutes to decode."""
    assert upload(bombs.jpeg_scans(number, (200, 200)), status=400) == NO_IMAGE


def test_cwe_770_the_number_of_frames_is_limited(upload: Callable[..., Any]) -> None:
    """CWE-770: an animation of many tiny frames took seconds to decode."""
    assert upload(bombs.gif_frames(10_000), status=400) == NO_IMAGE


@pytest.mark.slow
def test_cwe_770_one_visitor_leaves_images_to_others(
    app: Client, picture: Callable[..., bytes]
) -> None:
    """CWE-770: one visitor used up the quota of all visitors."""

    def submit(address: str, number: int) -> int:
        form = {"file": Upload("a.png", picture("PNG", 20 + number, 20), "image/png")}
        environ = {"REMOTE_ADDR": address}
        answer = app.post(SUBMIT, form, extra_environ=environ, status=[200, 400])
        return int(answer.status_int)

    greedy = [submit("192.0.2.1", number) for number in range(210)]

    assert greedy[0] == 200
    assert greedy[-1] == 400
    assert submit("192.0.2.2", 500) == 200
