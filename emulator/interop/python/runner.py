"""Runs named checks one after the other, prints ok or FAIL for each, and writes
their results as JSON lines."""

import json
import os
import time
import traceback

from azure.cosmos import CosmosClient

import fixture

_checks = []
_area = ""


def area(name):
    """Names the part of the SDK that the next checks use."""
    global _area
    _area = name


def check(name, result="works"):
    """Adds a check. Its name begins with the operations that it tries, as they are in
    interop/operations.txt: "create, read: a detail". A check that passes has the
    result works; refused, if the server has to refuse what is tried; or sdk, if the
    SDK does."""

    def add(run):
        _checks.append((_area, name, result, run))
        return run

    return add


def run_all(part):
    """Runs the checks whose area and name hold a text, and reports whether all pass."""
    connection = os.environ["COSMOS_CONNECTION_STRING"]
    begin, ran, failed = time.monotonic(), 0, 0
    with CosmosClient.from_connection_string(connection) as client:
        context = fixture.Context(client, connection)
        for where, name, result, run in _checks:
            if part not in f"{where}: {name}":
                continue
            ran += 1
            error = None
            try:
                run(context)
            except Exception:  # a check that fails does not end the program
                error = traceback.format_exc(limit=-3)
                failed += 1
            print(f"{'FAIL' if error else 'ok'} {where}: {name}", flush=True)
            if error:
                print("    " + error[-2000:].replace("\n", "\n    "), flush=True)
            _record(where, name, "fail" if error else result, error)
    print(f"{ran - failed} of {ran} checks passed, {time.monotonic() - begin:.1f} s")
    return failed == 0 and ran > 0


def _record(where, name, result, error):
    folder = os.environ.get("INTEROP_RESULTS")
    if not folder:
        return
    line = {
        "sdk": "python",
        "area": where,
        "operations": name.split(":")[0].split(", "),
        "check": name,
        "result": result,
    }
    if error:
        line["error"] = error.strip().splitlines()[-1]
    with open(os.path.join(folder, "python.jsonl"), "a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")
