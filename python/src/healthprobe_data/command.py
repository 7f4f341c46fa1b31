"""``healthprobe-data``: parses the command line, asks, prints."""

from __future__ import annotations

import argparse
import errno
import json
import os
import signal
import sys
from collections.abc import Sequence

# Arrow's own allocators keep what was freed: 30 MB.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

import pyarrow as pa  # noqa: E402

from . import __version__, cohort_commands
from .errors import HealthProbeDataError
from .program import Program
from .tables import OF_PROGRAM, TABLES, dictionary

_EXIT_CODES = """Exit codes: 0 done; 3 not everybody is completed (ingest, participant); 4 damage, or findings of
verify; 64 usage; 65 no archive or lake of this version, or too few participants; 66 no such input, archive or lake;
73 the output cannot be created; 74 disk, network, or a missing package; 130 interrupted."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are this package's: exit 64. An empty value is one, as for the program."""

    def parse_args(self, *given):
        options = super().parse_args(*given)
        for name, value in vars(options).items():
            if value == "" or isinstance(value, list) and "" in value:
                self.error(f"the value of {name.replace('_', '-')} is empty")
        return options

    def error(self, message: str):
        raise HealthProbeDataError("usage", message[:1].upper() + message[1:] + ".", f"See: {self.prog} --help")


def _parser() -> _Parser:
    parser = _Parser(
        prog="healthprobe-data",
        description="Archives of HealthProbe as tables, and lakes of many archives.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"healthprobe-data {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    _add_parquet(commands)
    cohort_commands.add(commands, _Parser)
    return parser


def _add_parquet(commands) -> None:
    parquet = commands.add_parser("parquet", help="one archive as Parquet files")
    parquet.add_argument("--archive", metavar="PATH", help="the archive; as for healthprobe without it")
    parquet.add_argument("--output", metavar="DIR", required=True, help="the folder to write; it must not exist")
    parquet.add_argument("--chain", metavar="NAME", default="default", help="the device chain (default)")
    parquet.add_argument(
        "--table", metavar="TABLE", action="append", default=[], help="only these tables: " + ", ".join(TABLES)
    )
    parquet.add_argument(
        "--type", metavar="TYPE", action="append", default=[], help="only these types: HeartRate, or Dietary*"
    )
    parquet.add_argument(
        "--provenance",
        choices=("full", "hashed", "none"),
        default="full",
        help="names as they are (full, the default), as pseudonyms (hashed), as numbers (none)",
    )
    parquet.add_argument("--secret-file", metavar="FILE", help="the archive's key, if it is not in the data folder")
    parquet.add_argument("--program", metavar="PATH", help="healthprobe, if it is not on the PATH")
    parquet.add_argument("--force", action="store_true", help="replace an earlier folder of tables there")
    parquet.add_argument("--json", action="store_true", help="JSON, errors too")
    parquet.set_defaults(run=_parquet)
    described = commands.add_parser("dictionary", help="every column of every table, as JSON (Frictionless Data)")
    described.add_argument("--json", action="store_true", help="errors as JSON, too")
    described.set_defaults(run=_dictionary)


def _parquet(options: argparse.Namespace) -> int:
    from . import parquet
    from .opened import open as open_archive

    unknown = [name for name in options.table if name not in TABLES]
    if unknown:
        raise HealthProbeDataError("usage", f"There is no table {unknown[0]}.", "The tables: " + ", ".join(TABLES))
    if set(options.table) & set(OF_PROGRAM) and Program.near(options.program) is None:
        Program.find(options.program)
    with open_archive(
        options.archive, options.chain, options.provenance, options.secret_file, options.program
    ) as archive:
        source = archive.source(options.type)
        manifest = parquet.publish(source, options.output, options.table or TABLES, options.force)
    for warning in manifest["warnings"]:
        print(json.dumps({"warning": warning}) if options.json else f"warning: {warning['message']}", file=sys.stderr)
    if options.json:
        print(json.dumps(manifest, ensure_ascii=False, separators=(",", ":")))
    else:
        for name, table in manifest["tables"].items():
            print(f"{name:<13} {table['rows']:>12,} rows {table['bytes']:>14,} bytes")
    return 0


def _dictionary(options: argparse.Namespace) -> int:
    print(json.dumps(dictionary(), ensure_ascii=False, indent=1))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parser().parse_args(given)
        if arguments is None:
            _end_as_by_interrupt()
            if options.command in ("parquet", "participant"):
                sys.meta_path.insert(0, _NoPandas)
        return options.run(options)
    except HealthProbeDataError as error:
        return _fail(error, "--json" in given)
    except KeyboardInterrupt:
        error = HealthProbeDataError("interrupted", "The command was interrupted.", "Run the same command again.")
        return _fail(error, "--json" in given)
    except BrokenPipeError:
        return 0
    except ModuleNotFoundError as error:
        missing = f"The Python package {error.name} is missing."
        return _fail(
            HealthProbeDataError("missingPackage", missing, "Run: pip install ./python"), "--json" in given
        )
    except (OSError, pa.ArrowException) as error:
        # What a disk or an object store says may hold a name: its kind is enough.
        cause = os.strerror(error.errno) if getattr(error, "errno", None) else type(error).__name__
        code = "diskFull" if getattr(error, "errno", None) == errno.ENOSPC else "inputOutput"
        message = "The disk or the object store did not do what it was asked for."
        return _fail(
            HealthProbeDataError(code, message, "Check addresses, rights and room, and run it again.", cause),
            "--json" in given,
        )


class _NoPandas:
    """Hides pandas: Arrow would import it, 40 MB, to see whether a list is one of its arrays."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not needed", name=name)


def _end_as_by_interrupt() -> None:
    """Makes SIGTERM, and SIGHUP unless it is ignored, what Ctrl-C is: no secret and no export is left behind."""

    def interrupt(*_) -> None:
        # Whoever sends one of them may send the other, too: removing what is left comes to its end.
        for each in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, interrupt)


def _fail(error: HealthProbeDataError, is_json: bool) -> int:
    """Prints an error; what is missing and how to install it in one line."""
    if is_json:
        print(error.json(), file=sys.stderr)
    else:
        lines = [f"error: {error.message}", *([error.cause] if error.cause else []), error.hint]
        print((" " if error.code == "missingPackage" else "\n").join(lines), file=sys.stderr)
    return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
