"""Checks of partition keys of all types, of ids and of values."""

import json
import math

from azure.cosmos.partition_key import NonePartitionKeyValue, NullPartitionKeyValue

from fixture import all_of, holds, raises, same
from runner import area, check

area("items")

HOSTILE = [
    "ä ö", "日本", "🙂", "a+b", "100%", "%2F", "%00", "a'b\"c", "<script>", "a&b=c", "a;b,c", "SELECT * FROM c",
    "' OR 1=1 --", "...", "~", "[]", "{}", "null", "\u0301", "\u202e", "\u200b", "x" * 255,
]


def stored(container, key, given):
    """Stores an item under a key, and finds it in every way by its key."""
    container.create_item({"id": "1", **({} if key is NonePartitionKeyValue else {"pk": key})})
    doc = container.read_item("1", given)
    same(doc.get("pk"), None if key is NonePartitionKeyValue else key)
    same(len(container.read_items([("1", given)])), 1)
    found = list(container.query_items("SELECT * FROM c", partition_key=given))
    same([d.get("pk") for d in found], [doc.get("pk")])
    container.upsert_item({**doc, "n": 1})
    container.delete_item("1", given)
    same(all_of(container, "SELECT * FROM c"), [])


@check("keys that are texts: long, empty, and like other types")
def _(c):
    container = c.container()
    for key in ["a", "", "1", "true", "null", "x" * 1000, "é日本", "a/b?c#d\\e", '"\\', "\t\n"]:
        stored(container, key, key)


@check("keys that are numbers")
def _(c):
    container = c.container()
    for key in [0, 1, -1, 0.5, -1.25, 2**53, -(2**53), 1e300, 1e-7]:
        stored(container, key, key)


@check("keys that are booleans")
def _(c):
    container = c.container()
    for key in [True, False]:
        stored(container, key, key)


@check("keys that are null")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": None})
    for given in (None, NullPartitionKeyValue):
        same(container.read_item("1", given)["pk"], None)
    with raises(404):
        container.read_item("1", NonePartitionKeyValue)
    container.delete_item("1", NullPartitionKeyValue)


@check("no key")
def _(c):
    container = c.container()
    container.create_item({"id": "1"})
    same(container.read_item("1", NonePartitionKeyValue)["id"], "1")
    with raises(404):
        container.read_item("1", NullPartitionKeyValue)
    found = list(container.query_items("SELECT * FROM c", partition_key=NonePartitionKeyValue))
    same([d["id"] for d in found], ["1"])
    container.replace_item("1", {"id": "1", "n": 1})
    container.delete_item("1", NonePartitionKeyValue)


@check("keys that are texts, keys that are numbers: the text 1 is not the number 1")
def _(c):
    container = c.container()
    for key in ["1", 1, True, None, "true"]:
        container.create_item({"id": "1", "pk": key})
    same(len(all_of(container, "SELECT * FROM c")), 5)
    same(container.read_item("1", 1)["pk"], 1)
    same(container.read_item("1", "1")["pk"], "1")


@check("hierarchical keys: all types, and a read of each")
def _(c):
    container = c.container(["/a", "/b", "/c"])
    keys = [["x", 1, True], ["x", 1, False], ["x", 2.5, None], ["", "y", 0], ["é日本", -1, "z"]]
    for key in keys:
        container.create_item({"id": "1", "a": key[0], "b": key[1], "c": key[2]})
        same(container.read_item("1", key)["c"], key[2])
    whole = [("1", key) for key in keys if None not in key]  # the SDK reads no many by null
    same(len(container.read_items(whole)), len(whole))
    container.delete_item("1", keys[0])
    with raises(404):
        container.read_item("1", keys[0])
    with raises(400):
        container.read_item("1", ["x", 1])


@check("hierarchical keys: a nested path")
def _(c):
    container = c.container(["/address/city", "/address/street"])
    container.create_item({"id": "1", "address": {"city": "Bonn", "street": "Rhein"}})
    same(container.read_item("1", ["Bonn", "Rhein"])["id"], "1")


@check("ids in many alphabets: read, queried, deleted")
def _(c):
    container = c.container()
    for text in HOSTILE:
        container.create_item({"id": text, "pk": text})
        rows = all_of(container, "SELECT VALUE c.id FROM c WHERE c.id=@id", parameters=[{"name": "@id", "value": text}])
        same(rows, [text])
        if "%" not in text:  # the routing gateway decodes the path once more than the client signs it
            same(container.read_item(text, text)["id"], text)
            container.delete_item(text, text)
    same(sorted(all_of(container, "SELECT VALUE c.id FROM c")), sorted(t for t in HOSTILE if "%" in t))


@check("ids in many alphabets: too long, empty, not a text")
def _(c):
    container = c.container()
    container.create_item({"id": "x" * 1023, "pk": "a"})
    for wrong in ("x" * 1024, ""):
        with raises(400):
            container.create_item({"id": wrong, "pk": "a"})
    with raises(400):
        container.create_item({"id": "1", "pk": ["a"]})


@check("values in many alphabets: names and texts come back as they were")
def _(c):
    container = c.container()
    doc = {"id": "1", "pk": "a", **{text: text for text in HOSTILE}, "": "no name", "a\u0000b": "\u0000\u001f\u2028\ud83d\ude42"}
    container.create_item(doc)
    read = container.read_item("1", "a")
    same({k: v for k, v in read.items() if not k.startswith("_")}, json.loads(json.dumps(doc)))


@check("large numbers: doubles come back as they were")
def _(c):
    container = c.container()
    values = [0, -1, 2**53, -(2**53), 2**53 - 1, 1e300, 5e-324, 1.7976931348623157e308, 0.1, 1 / 3, -0.5, 1e21, 123456789.125]
    container.create_item({"id": "1", "pk": "a", "values": values})
    got = container.read_item("1", "a")["values"]
    holds(all(math.isclose(a, b, rel_tol=0, abs_tol=0) for a, b in zip(got, values)), got)
    same(all_of(container, "SELECT VALUE c FROM c WHERE c.values[2] = 9007199254740992")[0]["id"], "1")
