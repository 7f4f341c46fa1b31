"""Objects of a lake and exports of a study: files of a local folder, or of an object store through ``pyarrow.fs``."""

from __future__ import annotations

import errno
import functools
import hashlib
import os
import posixpath
import secrets
import stat
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.fs as fs

from ..errors import HealthProbeDataError

#: Stores without folders: an object appears whole, in one put.
_OBJECT_STORES = ("s3", "gcs", "abfs")


@dataclass(frozen=True)
class Found:
    """What is known of an object: bytes, and when it was modified, in nanoseconds since 1970."""

    bytes: int
    modified: int | None

    @property
    def tag(self) -> str:
        """What changes with the content."""
        return str(self.modified)


@functools.lru_cache(maxsize=64)
def _store(scheme: str, authority: str, query: str) -> tuple[fs.FileSystem, str]:
    return fs.FileSystem.from_uri(urllib.parse.urlunsplit((scheme, authority, "", query, "")))


def _resolve(uri: str) -> tuple[fs.FileSystem, str]:
    """The store of an address, which is opened once a process, and the path in it."""
    if "://" not in uri:
        return fs.LocalFileSystem(), os.path.abspath(uri)
    try:
        # A # is part of an object's name: cut off, two objects would be one.
        parts = urllib.parse.urlsplit(uri, allow_fragments=False)
        path = urllib.parse.unquote(parts.path)
        if parts.scheme == "file":
            return fs.LocalFileSystem(), path
        store, root = _store(parts.scheme, parts.netloc, parts.query)
        return store, root.rstrip("/") + path.rstrip("/")
    except (pa.ArrowException, OSError, ValueError) as error:
        raise HealthProbeDataError(
            "usage",
            "An address of an export or of the lake cannot be used.",
            "Give a path or an s3://, gs:// or abfs:// URI.",
            type(error).__name__,
        ) from None


class Objects:
    """The objects below one address.

    :param uri: a path or URI; for S3 with ``?endpoint_override=…&scheme=http`` for a server of one's own
    """

    def __init__(self, uri: str):
        self.uri = uri
        self._files, self._root = _resolve(uri)

    def _path(self, name: str) -> str:
        return posixpath.join(self._root, name) if name else self._root

    @property
    def place(self) -> tuple[str, str]:
        """The kind of store and the path in it, with links resolved: equal for equal places."""
        is_local = isinstance(self._files, fs.LocalFileSystem)
        return self._files.type_name, os.path.realpath(self._root) if is_local else self._root

    @property
    def _has_folders(self) -> bool:
        return self._files.type_name not in _OBJECT_STORES

    def find(self, name: str = "") -> Found | None:
        """What is known of an object; None where there is none."""
        try:
            info = self._files.get_file_info(self._path(name))
        except OSError as error:
            # No file has a name that is too long for one.
            if error.errno == errno.ENAMETOOLONG:
                return None
            raise
        return Found(info.size, info.mtime_ns) if info.type == fs.FileType.File else None

    def read(self, name: str = "") -> bytes | None:
        """An object's bytes; None where there is none."""
        try:
            with self._files.open_input_stream(self._path(name), compression=None) as stream:
                return stream.read()
        except FileNotFoundError:
            return None

    def sha256(self, name: str) -> str | None:
        """The SHA-256 of an object, in hexadecimal, read piece by piece; None where there is none."""
        digest = hashlib.sha256()
        try:
            with self._files.open_input_stream(self._path(name), compression=None) as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
        except FileNotFoundError:
            return None
        return digest.hexdigest()

    def open(self, name: str = ""):
        """An object as a file that can be sought in."""
        return self._files.open_input_file(self._path(name))

    def fetch(self, path: str, name: str = "") -> int:
        """Copies an object to a local file of mode 0600 and returns its bytes.

        The file keeps the time of modification, which dates an export that states no date.

        :raises FileNotFoundError: where there is none
        """
        count = 0
        with self._files.open_input_stream(self._path(name), compression=None) as stream, _private(path) as file:
            while block := stream.read(1 << 20):
                count += file.write(block)
        found = self.find(name)
        if found is None or found.bytes != count:
            raise OSError("fewer bytes were read than the store has")
        if found.modified is not None:
            os.utime(path, ns=(found.modified, found.modified))
        return count

    def put(self, name: str, content: bytes | None = None, path: str | None = None) -> None:
        """Writes an object from bytes or from a local file: a reader sees the former one or the new one, never a part."""
        self.replace({name: path if content is None else content})

    def replace(self, objects: Mapping[str, bytes | str], without: Iterable[str] = ()) -> None:
        """Writes objects, from bytes or from local files by their paths, and deletes others; the last one comes last.

        In folders all are written beside their places before the first gets its name: a full disk changes nothing.
        Until then their names begin with a point, which Spark and Arrow read past.
        Where it ends in the middle, the last object is still the former one. A file has the permissions of the file
        that it is made of.
        """
        partials: dict[str, str] = {}

        def finish(name: str) -> None:
            if name in partials:
                self._files.move(partials[name], self._path(name))
                del partials[name]
            else:
                self._send(self._path(name), objects[name])

        *others, last = objects
        try:
            for name in objects if self._has_folders else ():
                folder, last_part = posixpath.split(self._path(name))
                self._files.create_dir(folder, recursive=True)
                partials[name] = f"{folder}/.{last_part}.writing-{secrets.token_hex(4)}"
                self._copy(partials[name], objects[name])
            for name in others:
                finish(name)
            for name in without:
                self.delete(name)
            finish(last)
        except BaseException:
            for partial in partials.values():
                if self._files.get_file_info(partial).type == fs.FileType.File:
                    self._files.delete_file(partial)
            raise

    def _send(self, target: str, content: bytes | str) -> None:
        self._copy(target, content)
        # A server that stores the framing of a request, or half of it, would make an object that nobody can read.
        found = self._files.get_file_info(target)
        if found.size != (len(content) if isinstance(content, bytes) else os.path.getsize(content)):
            raise OSError("the store has another number of bytes than were put")

    def _copy(self, target: str, content: bytes | str) -> None:
        if isinstance(content, str) and isinstance(self._files, fs.LocalFileSystem):
            # The file is made before there is anything in it: an archive must not be readable for a moment either.
            mode = stat.S_IMODE(os.stat(content).st_mode)
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode))
        # An S3 output stream puts its object when it is closed.
        stream = self._files.open_output_stream(target, compression=None)
        try:
            if isinstance(content, bytes):
                stream.write(content)
            else:
                with open(content, "rb") as file:
                    while block := file.read(8 << 20):
                        stream.write(block)
        except BaseException:
            if hasattr(stream, "abort"):
                stream.abort()
            raise
        stream.close()

    def delete(self, name: str) -> bool:
        """Deletes an object; whether there was one."""
        try:
            if self.find(name) is None:
                return False
            self._files.delete_file(self._path(name))
        except FileNotFoundError:
            # Another run was faster, or gave the file its name.
            return False
        return True

    def list(self, folder: str) -> Iterator[str]:
        """The names of all objects below a folder, in order."""
        yield from sorted(self.sizes(folder))

    def sizes(self, folder: str) -> dict[str, int]:
        """The bytes of all objects below a folder, by name."""
        selector = fs.FileSelector(self._path(folder), recursive=True, allow_not_found=True)
        prefix = self._root.rstrip("/") + "/"
        found = (info for info in self._files.get_file_info(selector) if info.type == fs.FileType.File)
        return {info.path.removeprefix(prefix): info.size for info in found}


def _private(path: str):
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
