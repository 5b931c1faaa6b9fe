"""Checks of the key functions that pkgen keys prints: documents that Go writes are
read by them, and documents are written that Go reads."""

import importlib
import json
import os
import sys
from datetime import datetime

from fixture import holds, same
from runner import area, check

area("printed key functions")


def samples(writer):
    """Returns containers, documents and the values of their partition keys. The
    documents are those of a writer."""
    sys.path.insert(0, os.environ["INTEROP_KEYS"])
    measurement = importlib.import_module("measurement_key").measurement_partition_key
    visit = importlib.import_module("visit_key").visit_partition_key
    with open(os.environ["INTEROP_SAMPLES"], encoding="utf-8") as file:
        given = json.load(file)
    for doc in given["measurements"]:
        key = measurement(doc["site"], time_of(doc), doc["meter"], doc["label"], doc["urgent"], doc["serial"])
        yield "measurement", {**doc, "id": f"{writer}-{doc['id']}", "partitionKey": key}, key
    for doc in given["visits"]:
        key = visit(doc["tenant"], doc["user"], time_of(doc))
        yield "visit", {**doc, "id": f"{writer}-{doc['id']}", "partitionKey": key[2]}, key


def time_of(doc):
    return datetime.fromisoformat(doc["at"].replace("Z", "+00:00"))  # Z is for 3.11 and newer


@check("the SDK reads what Go wrote")
def _(c):
    database = c.client.get_database_client("keys")
    count = 0
    for container, doc, key in samples("go"):
        got = database.get_container_client(container).read_item(doc["id"], key)
        for name, value in doc.items():
            if name == "at":
                same(time_of(got), time_of(doc))
            else:
                same((doc["id"], name, got[name]), (doc["id"], name, value))
        count += 1
    holds(count > 10)


@check("Go reads what the SDK wrote: the writes, before Go reads them")
def _(c):
    database = c.client.get_database_client("keys")
    for container, doc, _ in samples("python"):
        database.get_container_client(container).upsert_item(doc)
