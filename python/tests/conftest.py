"""Fixtures: archives of synthetic phones, made once a run by the built programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import programs  # noqa: E402
import study as studies  # noqa: E402
from healthprobe_data.cohort import manifest, shared_exports  # noqa: E402
from healthprobe_data.cohort.lake import Lake  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory):
    """Keys and seen heads go to folders of this run."""
    home = tmp_path_factory.mktemp("xdg")
    os.environ |= {"XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home / "state"), "TZ": "Asia/Tokyo"}
    # Spark's workers have the surroundings that the first session was started with.
    os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}
    os.environ.pop("HEALTHPROBE_ARCHIVE", None)
    os.environ["PATH"] = f"{programs.BIN}:{os.environ['PATH']}"


@pytest.fixture(scope="session")
def phone(tmp_path_factory) -> Path:
    """The folder of a phone with three exports: condensing, a renamed watch, another unit, copies, a restore."""
    folder = tmp_path_factory.mktemp("phone")
    exports = programs.phone(
        folder,
        7,
        changes=[
            "2: condense=0.5,rename:watch,unit:DistanceWalkingRunning:mi,duplicate=0.02",
            "3: condense,recondense=0.5,delete=0.02,restore",
        ],
    )
    programs.archive(folder, exports)
    return folder


@pytest.fixture(scope="session")
def archive(phone) -> Path:
    """The archive of ``phone``."""
    return phone / "archive.sqlite"


@pytest.fixture(scope="session")
def tables(archive, tmp_path_factory) -> Path:
    """The tables of ``archive`` with everything in clear text."""
    folder = tmp_path_factory.mktemp("tables") / "full"
    done = programs.data("parquet", "--archive", archive, "--output", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def study(tmp_path_factory) -> studies.Study:
    """The exports of a study and its secret."""
    return studies.Study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="session")
def lake(study, tmp_path_factory) -> Path:
    """The lake that participants make one by one, with shared exports kept out as ``ingest`` does at its end."""
    folder = tmp_path_factory.mktemp("lakes") / "one-by-one"
    everybody = manifest.read(str(study.manifest))
    for participant in everybody:
        study.participant(participant.id, folder)
    shared_exports.keep_out(Lake(str(folder)))
    return folder
