"""Participants on Apache Spark: one a task, through ``mapInArrow`` alone.

The driver hands out the participants, the largest first, and Spark runs a task again elsewhere that raises. On its last
attempt a task returns ``exhausted`` instead: a raise would abort the whole job.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator

import pyarrow as pa

from ..cohort import participant as unit
from ..cohort import status as statuses
from ..cohort.lake import Lake
from ..cohort.manifest import Participant
from ..errors import HealthProbeDataError

_JAVA = "Run: apt-get install openjdk-17-jre-headless"
_SCHEMA = "participant string, result string"
_ATTEMPTS = 4
#: Seconds between two lines of progress, at least.
_PROGRESS = 3.0


def session(master: str | None):
    """The running session, that of spark-submit, or a new one on ``master`` (``local[*]``).

    :raises HealthProbeDataError: ``usage``, ``missingPackage``, ``inputOutput``
    """
    # Spark says the same of a master that it does not know as of a Java that does not start.
    if master and not re.match(r"(local|yarn|mesos)\b|(spark|k8s|sc)://", master):
        raise HealthProbeDataError(
            "usage", "Spark has no such master.", "Give local[N], yarn, spark://HOST:PORT or k8s://HOST:PORT."
        )
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise HealthProbeDataError(
            "missingPackage", "PySpark is missing.", "Run: pip install './python[spark]'"
        ) from None
    running = SparkSession.getActiveSession()
    if running is not None:
        return running, False
    if "SPARK_REMOTE" not in os.environ and not shutil.which("java") and not os.environ.get("JAVA_HOME"):
        raise HealthProbeDataError("missingPackage", "Java is missing.", _JAVA)
    builder = SparkSession.builder.appName("healthprobe-data ingest")
    if "PYSPARK_GATEWAY_PORT" not in os.environ and "SPARK_REMOTE" not in os.environ:
        # Local masters try a task once unless they are told otherwise.
        master = re.sub(r"^local\[([^,\]]+)\]$", rf"local[\1,{_ATTEMPTS}]", master or "local[*]")
        master = f"local[1,{_ATTEMPTS}]" if master == "local" else master
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        for name, value in (
            ("spark.ui.enabled", "false"),
            ("spark.ui.showConsoleProgress", "false"),
            ("spark.network.timeout", "300s"),
            ("spark.log.level", "ERROR"),
        ):
            builder = builder.config(name, value)
    if master:
        builder = builder.master(master)
    try:
        return builder.getOrCreate(), True
    except Exception as error:  # noqa: BLE001 - Spark has no type of its own for either
        text = str(error)
        if "JAVA_GATEWAY_EXITED" in text or "Java gateway process exited" in text or isinstance(error, OSError):
            raise HealthProbeDataError("missingPackage", "Java 17 cannot be started.", _JAVA) from None
        raise HealthProbeDataError(
            "inputOutput", "The Spark session cannot be started.", "Check --master and the cluster.", type(error).__name__
        ) from None


def run(
    spark, todo: list[tuple[str, Participant]], settings: unit.Settings, progress
) -> dict[str, tuple[str, str | None]]:
    """Takes the participants in; outcome and code by pseudonym.

    :param progress: called with the counts of those done, failed and left
    :raises HealthProbeDataError: ``exhausted`` where Spark gave the whole job up
    """
    watch = _Watch(settings, [name for name, _ in todo], progress)
    work = _work(todo, settings, _attempts(spark))
    rows = spark.range(0, len(todo), 1, numPartitions=len(todo)).mapInArrow(work, _SCHEMA)
    try:
        with watch:
            results = rows.collect()
    except Exception as error:
        left = watch.left()
        raise HealthProbeDataError(
            "exhausted",
            f"Spark gave the job up; {len(left)} participants were not finished, among them: {', '.join(left[:20])}.",
            "Run ingest again; a participant that ends its executor each time: ingest --skip PSEUDONYM.",
            type(error).__name__,
        ) from None
    return {row["participant"]: tuple(json.loads(row["result"])) for row in results}


def _attempts(spark) -> int:
    """How often Spark tries a task."""
    master = spark.conf.get("spark.master", "") or ""
    local = re.fullmatch(r"local(?:\[([^,\]]+)(?:,\s*(\d+))?\])?", master)
    if local:
        return int(local.group(2) or 1)
    return int(spark.conf.get("spark.task.maxFailures", str(_ATTEMPTS)))


def _work(todo: list[tuple[str, Participant]], settings: unit.Settings, attempts: int):
    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for index in batch["id"].to_pylist():
                name, participant = todo[index]
                result = json.dumps(attempt(name, participant, settings, attempts))
                yield pa.RecordBatch.from_pydict({"participant": [name], "result": [result]})

    return work


def attempt(name: str, participant: Participant, settings: unit.Settings, attempts: int) -> tuple[str, str | None]:
    """One try at one participant in a task: outcome and code; what is raised has pseudonym and code only."""
    from pyspark import TaskContext

    code = "inputOutput"
    try:
        status = unit.ingest(participant, settings)
        return status["outcome"], status["error"]
    except HealthProbeDataError as error:
        code = error.code
    except Exception as error:  # noqa: BLE001 - an unknown error's text may hold a path or a name
        code = f"inputOutput ({type(error).__name__})"
    if code == "programDiffers":
        return "programDiffers", code
    context = TaskContext.get()
    if context is None or context.attemptNumber() + 1 >= attempts:
        return "exhausted", code.split(" ")[0]
    raise RuntimeError(f"participant {name}: {code}")


class _Watch:
    """Looks into the lake for statuses that were put since the run began."""

    def __init__(self, settings: unit.Settings, names: list[str], progress):
        self._lake, self._names, self._progress = Lake(settings.lake), names, progress
        self._before = {name: self._tag(name) for name in names}
        self._outcomes: dict[str, str] = {}
        self._shown: tuple[int, int, int] | None = None
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> "_Watch":
        self._thread.start()
        return self

    def __exit__(self, *error) -> None:
        self._end.set()
        self._thread.join()
        self._try_to_look()

    def left(self) -> list[str]:
        """Those without a new status."""
        return [name for name in self._names if name not in self._outcomes]

    def _tag(self, name: str) -> str | None:
        found = self._lake.objects.find(self._lake.status_name(name))
        return found.tag if found else None

    def _try_to_look(self) -> None:
        # Progress must not end the work, and no work that is done is given up for it.
        with contextlib.suppress(Exception):
            self._look()

    def _look(self) -> None:
        for name in self.left():
            if self._tag(name) != self._before[name]:
                status = statuses.read(self._lake, name)
                if status:
                    self._outcomes[name] = status["outcome"]
        failed = sum(outcome == "failed" for outcome in self._outcomes.values())
        counts = (len(self._outcomes) - failed, failed, len(self.left()))
        if counts != self._shown:
            self._progress(*counts)
            self._shown = counts

    def _follow(self) -> None:
        pause = _PROGRESS
        while not self._end.wait(pause):
            began = time.monotonic()
            self._try_to_look()
            pause = max(_PROGRESS, 10 * (time.monotonic() - began))
