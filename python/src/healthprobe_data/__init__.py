"""HealthProbe archives as Arrow record batches and Parquet files.

import healthprobe_data as hp
with hp.open("HealthProbeArchive.sqlite") as archive:
    frame = archive.records(at="latest", types=["HeartRate"]).read_pandas()
"""

__version__ = "0.1.0"

from .errors import HealthProbeDataError
from .opened import Archive, open

__all__ = ["Archive", "HealthProbeDataError", "open", "__version__"]
