"""The commands of lakes: ``key new``, ``ingest``, ``participant``, ``status``, ``verify``, ``withdraw``, ``release``."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import sys
from collections import Counter

from .errors import HealthProbeDataError


def add(commands, parser_class) -> None:
    """Adds the commands to the parser's."""
    key = commands.add_parser("key", help="the study's secret")
    actions = key.add_subparsers(dest="action", required=True, parser_class=parser_class)
    new = actions.add_parser("new", help="makes one")
    new.add_argument("file", metavar="FILE", help="a file that must not exist")
    new.add_argument("--json", action="store_true", help="JSON, errors too")
    new.set_defaults(run=_key_new)
    names = actions.add_parser("names", help="whose pseudonyms these are: participants and exports of a manifest")
    names.add_argument("--manifest", metavar="FILE", required=True, help="as for ingest")
    names.add_argument("--secret-file", metavar="FILE", required=True, help="the study's secret")
    names.add_argument("--json", action="store_true", help="JSON, errors too")
    names.set_defaults(run=_key_names)

    ingest = commands.add_parser("ingest", help="a study's exports into a lake, on Apache Spark")
    _add_unit(ingest)
    ingest.add_argument("--master", metavar="URL", help="Spark's master, where no session is running (local[*])")
    ingest.add_argument("--limit", metavar="N", type=int, help="take in so many participants at most")
    ingest.add_argument("--skip", metavar="PSEUDONYM", action="append", default=[], help="leave these participants out")
    ingest.set_defaults(run=_ingest)

    participant = commands.add_parser("participant", help="one participant into a lake, without Spark")
    participant.add_argument("id", metavar="ID", help="as in the manifest")
    _add_unit(participant)
    participant.set_defaults(run=_participant)

    status = commands.add_parser("status", help="what became of the participants of a lake")
    _add_lake(status)
    status.add_argument("--failed", action="store_true", help="list those that are not completed")
    status.set_defaults(run=_status)

    verify = commands.add_parser("verify", help="compares every object of a lake with the statuses")
    _add_lake(verify)
    verify.add_argument("--repair", action="store_true", help="remove what is wrong, so that ingest makes it again")
    verify.set_defaults(run=_verify)

    withdraw = commands.add_parser("withdraw", help="deletes a participant from a lake for good")
    withdraw.add_argument("id", metavar="ID", help="as in the manifest")
    _add_lake(withdraw)
    withdraw.add_argument("--secret-file", metavar="FILE", required=True, help="the study's secret")
    withdraw.add_argument("--unknown", action="store_true", help="also an id that no manifest named")
    withdraw.set_defaults(run=_withdraw)

    release = commands.add_parser("release", help="the survey of a lake, for publication")
    _add_lake(release)
    release.add_argument("--output", metavar="DIR", required=True, help="a folder that must not exist")
    release.add_argument("--minimum", metavar="N", type=int, default=20, help="the fewest participants of a row (20)")
    release.set_defaults(run=_release)


def _add_lake(parser) -> None:
    parser.add_argument("--lake", metavar="URI", required=True, help="a path, or s3://, gs://, abfs://")
    parser.add_argument("--json", action="store_true", help="JSON, errors too")


def _add_unit(parser) -> None:
    _add_lake(parser)
    parser.add_argument(
        "--manifest", metavar="FILE", required=True, help="CSV: participant,export[,time_zone,observed_at,chain]"
    )
    parser.add_argument(
        "--secret-file", metavar="FILE", required=True, help="the study's secret, at this path on every node"
    )
    parser.add_argument("--program", metavar="PATH", help="healthprobe, if it is not on the PATH")
    parser.add_argument("--scratch", metavar="DIR", help="where archives are built (the temporary folder)")
    parser.add_argument(
        "--type", metavar="TYPE", action="append", default=[], help="only these types: HeartRate, or Dietary*"
    )
    parser.add_argument("--exclude-type", metavar="TYPE", action="append", default=[], help="all but these types")
    parser.add_argument("--check", action="store_true", help="run healthprobe check on each archive")
    parser.add_argument("--keep-archive", action="store_true", help="keep the archives in the lake")
    parser.add_argument("--strict", action="store_true", help="refuse a zone that contradicts its export")
    parser.add_argument(
        "--keep", metavar="ID", action="append", default=[], help="of those who share an export, take this one in"
    )
    parser.add_argument("--retry-failed", action="store_true", help="take failed participants in again")


def _settings(options: argparse.Namespace, everybody):
    from .cohort.lake import pseudonym
    from .cohort.settings import Settings
    from .program import Program
    from .pseudonyms import Key
    from .type_names import TypeFilter

    keep = {id.strip() for id in options.keep}
    if keep - {participant.id for participant in everybody}:
        raise HealthProbeDataError(
            "usage", "The manifest has no participant that --keep names.", "Give the id as the manifest has it."
        )
    key = Key.read(options.secret_file, "usage") if keep else None

    program, types = Program.find(options.program), TypeFilter(options.type, options.exclude_type)
    return Settings(
        options.lake if "://" in options.lake else os.path.abspath(options.lake),
        os.path.abspath(options.secret_file),
        program.path,
        None,
        program.sha256,
        tuple(types.only),
        tuple(types.without),
        options.scratch and os.path.abspath(options.scratch),
        options.check,
        options.keep_archive,
        options.retry_failed,
        strict=options.strict,
        keep=tuple(sorted(pseudonym(key, id) for id in keep)),
    )


def _key_new(options: argparse.Namespace) -> int:
    from .pseudonyms import Key

    key = Key(os.urandom(32))
    try:
        descriptor = os.open(options.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise HealthProbeDataError(
            "cannotCreate", "The key file cannot be made.", "Give a file that does not exist.", os.strerror(error.errno)
        ) from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.bytes)
        file.flush()
        os.fsync(file.fileno())
    print(json.dumps({"path": options.file, "keyID": key.id}) if options.json else f"key {key.id}")
    return 0


def _key_names(options: argparse.Namespace) -> int:
    from .cohort import manifest
    from .cohort.lake import pseudonym
    from .pseudonyms import Key

    key = Key.read(options.secret_file, "usage")
    for participant in manifest.read(options.manifest):
        exports = {key.short(export.uri, "export"): export.uri for export in participant.exports}
        name = pseudonym(key, participant.id)
        if options.json:
            row = {"participant": name, "id": participant.id, "exports": exports}
            print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
        else:
            print(f"{name}  {participant.id}")
            for short, uri in exports.items():
                print(f"  {short}  {uri}")
    return 0


def _ingest(options: argparse.Namespace) -> int:
    from .cohort import manifest, plan, scratch, shared_exports
    from .cohort import status as statuses
    from .cohort.lake import Lake
    from .program import Program

    if options.limit is not None and options.limit < 0:
        raise HealthProbeDataError("usage", "--limit is not negative.", "Leave it out to take everybody in.")
    everybody = manifest.read(options.manifest)
    settings = _settings(options, everybody)
    scratch.clean(settings.scratch)
    plan.require_apart(settings.lake, everybody, options.manifest)
    planned = plan.make(everybody, settings, set(options.skip), options.limit)
    lake, outcomes = Lake(settings.lake), planned.outcomes
    taken_in = {name for name, _ in planned.todo}
    if planned.todo:
        from .spark import ingest

        settings = dataclasses.replace(settings, version=Program.find(settings.program).version)
        spark, is_ours = ingest.session(options.master)
        try:
            # Nothing is left behind where Spark does not start.
            plan.make_lake(settings, everybody)
            outcomes |= ingest.run(spark, planned.todo, settings, _progress)
        finally:
            if is_ours:
                spark.stop()
            scratch.clean(settings.scratch)
    exhausted = {name: code for name, (outcome, code) in outcomes.items() if outcome == "exhausted"}
    # Where the lake takes nothing any more, the answer says it alone.
    with contextlib.suppress(OSError):
        for name, code in exhausted.items():
            if not lake.is_withdrawn(name):
                lake.note_exhausted(name, code)
    shared = shared_exports.keep_out(lake)
    outcomes |= {name: ("failed", shared_exports.SHARED) for name in shared if name in outcomes}
    if settings.only or settings.without:
        _note_unknown_types(statuses.read_all(lake, sorted(taken_in)).values(), options.json)
    _note_contradicted_zones(statuses.read_all(lake, sorted(taken_in)), options.json)
    summary = plan.summary(lake, outcomes, len(taken_in), planned.left, shared)
    if options.json:
        print(json.dumps(summary, separators=(",", ":")))
    else:
        _print_counts(summary)
        for name, code in sorted(exhausted.items()):
            print(f"{name}  exhausted  {code}")
        for name, others in shared.items():
            print(f"{name}  {shared_exports.SHARED}  with {', '.join(others)}")
    return plan.exit_code(outcomes, planned.left)


def _note_unknown_types(found, is_json: bool) -> None:
    """Warns of types that none of these participants has: probably misspelt."""
    unknown = [set(status.get("unknownTypes", ())) for status in found if status.get("state")]
    for name in sorted(set.intersection(*unknown)) if unknown else ():
        message = f"No export that was taken in has the type {name}."
        warning = json.dumps({"warning": {"code": "unknownType", "message": message}}, ensure_ascii=False)
        print(warning if is_json else f"warning: {message}", file=sys.stderr)


def _note_contradicted_zones(found: dict[str, dict], is_json: bool) -> None:
    """Warns of participants whose given zone is not that of their exports."""
    for name, status in found.items():
        if "zoneContradicted" in status.get("warnings", []):
            message = f"{name}: a time_zone of the manifest contradicts the export."
            warning = json.dumps({"warning": {"code": "zoneContradicted", "message": message}})
            print(warning if is_json else f"warning: {message}", file=sys.stderr)


def _progress(done: int, failed: int, left: int) -> None:
    print(f"{done} done, {failed} failed, {left} left", file=sys.stderr, flush=True)


def _print_counts(answer: dict) -> None:
    counts = [f"{count} {outcome}" for outcome, count in answer["outcomes"].items()]
    print(f"{answer['participants']} participants: " + ", ".join(counts or ["none"]))
    for code, count in answer["codes"].items():
        print(f"  {code}: {count}")
    for code, count in answer["exports"].items():
        print(f"  exports refused with {code}: {count}")


def _participant(options: argparse.Namespace) -> int:
    from .cohort import manifest, plan, scratch
    from .cohort.participant import ingest

    everybody = manifest.read(options.manifest)
    settings = _settings(options, everybody)
    scratch.clean(settings.scratch)
    chosen = [participant for participant in everybody if participant.id == options.id.strip()]
    if not chosen:
        raise HealthProbeDataError(
            "usage", "The manifest has no such participant.", "Give the id as the manifest has it."
        )
    plan.require_apart(settings.lake, everybody, options.manifest)
    plan.make_lake(settings, everybody)
    told: list[str] = []
    status = ingest(chosen[0], settings, told)
    _note_unknown_types([status], options.json)
    _note_contradicted_zones({status["participant"]: status}, options.json)
    for line in told:
        warning = json.dumps({"warning": {"code": "refusedExport", "message": line}}, ensure_ascii=False)
        print(warning if options.json else f"warning: {line}", file=sys.stderr)
    outcomes = {status["participant"]: (status["outcome"], status["error"])}
    if options.json:
        print(
            json.dumps({"participant": status["participant"], "outcome": status["outcome"], "error": status["error"]})
        )
    else:
        print(f"{status['participant']}: {status['outcome']}" + (f" ({status['error']})" if status["error"] else ""))
    return plan.exit_code(outcomes)


def _status(options: argparse.Namespace) -> int:
    from .cohort import status as statuses
    from .cohort.lake import Lake

    lake = Lake(options.lake)
    lake.describe()
    names = lake.participants("status")
    found = statuses.read_all(lake, names)
    # Everybody once: a note and a tombstone say more than a status that is still there.
    outcomes = dict.fromkeys(names, ("unreadable", None))
    outcomes |= {name: (status["outcome"], status["error"]) for name, status in found.items()}
    outcomes |= {name: ("exhausted", code) for name, code in lake.exhausted().items()}
    outcomes |= dict.fromkeys(lake.participants("withdrawn"), ("withdrawn", None))
    listed = [
        {
            "participant": name,
            "outcome": outcome,
            "error": code,
            "inputs": [entry["outcome"] for entry in found[name]["inputs"]] if name in found else [],
            "sharedWith": found[name].get("sharedWith", []) if name in found else [],
        }
        for name, (outcome, code) in sorted(outcomes.items())
        if outcome not in ("completed", "withdrawn")
    ]
    rows = Counter()
    for status in found.values():
        rows.update(status["rows"])
    answer = {
        "schema": "healthprobe.lake-status/1",
        "participants": len(outcomes),
        "outcomes": dict(sorted(Counter(outcome for outcome, _ in outcomes.values()).items())),
        "codes": dict(sorted(Counter(code for _, code in outcomes.values() if code).items())),
        "exports": statuses.refused(found),
        "rows": dict(rows),
    }
    if options.json:
        print(json.dumps(answer | ({"failed": listed} if options.failed else {}), separators=(",", ":")))
        return 0
    _print_counts(answer)
    for entry in listed if options.failed else []:
        details = ", ".join(map(str, entry["sharedWith"] or entry["inputs"]))
        print(f"{entry['participant']}  {entry['outcome']}  {entry['error'] or ''}  {details}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from .cohort import care
    from .cohort.lake import Lake

    findings = care.verify(Lake(options.lake), options.repair)
    if options.json:
        print(
            json.dumps(
                {
                    "schema": "healthprobe.lake-verify/1",
                    "valid": not findings,
                    "repaired": options.repair,
                    "findings": findings,
                },
                separators=(",", ":"),
            )
        )
    else:
        for entry in findings:
            print(f"{entry['finding']}  {entry['object']}")
        print(
            "The lake is as its statuses say."
            if not findings
            else f"{len(findings)} findings" + (", repaired; run ingest again" if options.repair else "")
        )
    return 4 if findings else 0


def _withdraw(options: argparse.Namespace) -> int:
    from .cohort import care
    from .cohort.lake import Lake
    from .pseudonyms import Key

    # As a manifest is read: blanks around an id are no part of it.
    id = options.id.strip()
    if not id:
        raise HealthProbeDataError("usage", "The id is empty.", "Give the id as the manifest has it.")
    name, deleted = care.withdraw(Lake(options.lake), Key.read(options.secret_file, "usage"), id, options.unknown)
    if not deleted:
        message = "Nothing was there under this id; a tombstone was written."
        warning = json.dumps({"warning": {"code": "nothingThere", "message": message}})
        print(warning if options.json else f"warning: {message}", file=sys.stderr)
    if options.json:
        print(json.dumps({"participant": name, "deleted": len(deleted)}))
    else:
        print(f"{name}: {len(deleted)} objects deleted")
    return 0


def _release(options: argparse.Namespace) -> int:
    from .cohort.lake import Lake
    from .survey import release

    found = release.release(Lake(options.lake), options.minimum)
    release.write(found, options.output)
    if options.json:
        print(
            json.dumps(
                {name: found[name] for name in ("schema", "participants", "minimum", "dropped")}
                | {"rows": len(found["rows"])}
            )
        )
    else:
        print(f"{len(found['rows'])} rows of {found['participants']} participants; {found['dropped']} rows dropped")
    return 0
