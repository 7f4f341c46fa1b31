"""HealthProbe archives as Arrow record batches and Parquet files.

import healthprobe_data as hp
with hp.open("HealthProbeArchive.sqlite") as archive:
    frame = archive.records(at="latest", types=["HeartRate"]).read_pandas()
"""

__version__ = "0.1.0"

from .errors import HealthProbeDataError

__all__ = ["Archive", "HealthProbeDataError", "open", "__version__"]


def __getattr__(name: str):
    # The command chooses Arrow's allocator before anything imports Arrow.
    if name in ("Archive", "open"):
        from . import opened

        return getattr(opened, name)
    raise AttributeError(name)
