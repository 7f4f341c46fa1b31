"""Pseudonyms: HMAC-SHA-256 under a key of 32 bytes, as docs/exports.md defines them."""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import stat

from .errors import HealthProbeDataError

KEY_BYTES = 32


class Key:
    """The secret of an archive, or of a study."""

    def __init__(self, secret: bytes):
        if len(secret) != KEY_BYTES:
            raise HealthProbeDataError(
                "keyUnreadable",
                f"The key has {len(secret)} bytes instead of {KEY_BYTES}.",
                "Give the file that key export or healthprobe-data key new wrote.",
            )
        self._secret = secret

    @classmethod
    def read(cls, path: str, readable_by_others: str = "keyUnreadable") -> "Key":
        """The key in a file; one that others may read is refused with the given code.

        :raises HealthProbeDataError: ``keyUnreadable``
        """
        try:
            # Opening a named pipe would wait for ever.
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise OSError(errno.EINVAL, "no file")
            with open(path, "rb") as file:
                if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                    raise HealthProbeDataError(
                        readable_by_others, "Other users can read the key file.", f"Run: chmod 600 {path}"
                    )
                return cls(file.read(2 * KEY_BYTES))
        except OSError as error:
            raise HealthProbeDataError(
                "keyUnreadable",
                "The key file cannot be read.",
                "Name it with --secret-file.",
                os.strerror(error.errno or 0),
            ) from None

    @property
    def bytes(self) -> bytes:
        """The secret itself."""
        return self._secret

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits that name the key without telling it."""
        return hashlib.sha256(b"hp:v2:key_id:" + self._secret).hexdigest()[:16]

    def pseudonym(self, text: str, domain: str) -> str:
        """The 64 digits that ``export --provenance hashed`` prints for a text of that domain."""
        return hmac.new(self._secret, f"hp:v2:{domain}:{text}".encode(), hashlib.sha256).hexdigest()

    def short(self, text: str, domain: str) -> str:
        """The first 16 digits of a pseudonym, as tables have it."""
        return self.pseudonym(text, domain)[:16]
