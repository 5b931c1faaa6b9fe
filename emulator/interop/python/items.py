"""Checks of single items: create, read, upsert, replace, delete, conditions."""

import time

from azure.core import MatchConditions
from azure.cosmos import CosmosDict

from fixture import all_of, holds, raises, same
from runner import area, check

area("items")


@check("create, read")
def _(c):
    container = c.container()
    created = container.create_item({"id": "1", "pk": "a", "n": 1, "deep": {"list": [1, [2], {"x": None}]}})
    read = container.read_item("1", "a")
    same(dict(read), dict(created))
    same(read["deep"], {"list": [1, [2], {"x": None}]})
    holds(abs(read["_ts"] - time.time()) < 60)
    for system in ("_rid", "_self", "_etag", "_attachments"):
        holds(read[system], system)


@check("read: charge, activity id and session token of an answer")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    read = container.read_item("1", "a")
    holds(isinstance(read, CosmosDict))
    headers = read.get_response_headers()
    holds(float(headers["x-ms-request-charge"]) >= 1)
    holds(headers["x-ms-activity-id"] and headers["x-ms-session-token"] and headers["etag"])


@check("read: an item by the dictionary of another answer")
def _(c):
    container = c.container()
    created = container.create_item({"id": "1", "pk": "a"})
    same(container.read_item(created, "a")["id"], "1")


@check("links by resource id")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    database = c.client.get_database_client(c.database.read())
    by_self = database.get_container_client(container.read())
    same(by_self.read()["id"], container.id)
    same(by_self.read_item("1", "a")["id"], "1")


@check("an id that the SDK makes")
def _(c):
    created = c.container().create_item({"pk": "a"}, enable_automatic_id_generation=True)
    same(len(created["id"]), 36)


@check("upsert")
def _(c):
    container = c.container()
    same(container.upsert_item({"id": "1", "pk": "a", "n": 1})["n"], 1)
    same(container.upsert_item({"id": "1", "pk": "a", "m": 2}).get("n"), None)
    same(len(all_of(container, "SELECT * FROM c")), 1)


@check("upsert: another partition key makes another item")
def _(c):
    container = c.container()
    container.upsert_item({"id": "1", "pk": "a"})
    container.upsert_item({"id": "1", "pk": "b"})
    same(len(all_of(container, "SELECT * FROM c")), 2)


@check("replace")
def _(c):
    container = c.container()
    created = container.create_item({"id": "1", "pk": "a", "n": 1})
    created["n"] = 2
    replaced = container.replace_item("1", created)
    same(replaced["n"], 2)
    holds(replaced["_etag"] != created["_etag"])
    same(replaced["_rid"], created["_rid"])
    with raises(404):
        container.replace_item("2", {"id": "2", "pk": "a"})


@check("delete")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    same(container.delete_item("1", "a"), None)
    with raises(404):
        container.delete_item("1", "a")


@check("if-match: replace, upsert and delete")
def _(c):
    container = c.container()
    etag = container.create_item({"id": "1", "pk": "a"})["_etag"]
    old = {"etag": etag, "match_condition": MatchConditions.IfNotModified}
    container.replace_item("1", {"id": "1", "pk": "a", "n": 1}, **old)
    with raises(412):
        container.replace_item("1", {"id": "1", "pk": "a", "n": 2}, **old)
    with raises(412):
        container.upsert_item({"id": "1", "pk": "a", "n": 2}, **old)
    with raises(412):
        container.delete_item("1", "a", **old)
    with raises(412):
        container.patch_item("1", "a", [{"op": "set", "path": "/n", "value": 2}], **old)
    new = container.read_item("1", "a")
    same(new["n"], 1)
    container.delete_item("1", "a", etag=new["_etag"], match_condition=MatchConditions.IfNotModified)


@check("if-none-match: a read of what has not changed is 304")
def _(c):
    container = c.container()
    etag = container.create_item({"id": "1", "pk": "a"})["_etag"]
    statuses = []
    container.read_item("1", "a", etag=etag, match_condition=MatchConditions.IfModified,
                        raw_response_hook=lambda r: statuses.append(r.http_response.status_code))
    same(statuses, [304])
    container.replace_item("1", {"id": "1", "pk": "a", "n": 1})
    same(container.read_item("1", "a", etag=etag, match_condition=MatchConditions.IfModified)["n"], 1)


@check("answers without a body")
def _(c):
    container = c.container()
    created = container.create_item({"id": "1", "pk": "a"}, no_response=True)
    same(dict(created), {})
    holds(created.get_response_headers()["etag"])
    same(dict(container.upsert_item({"id": "1", "pk": "a", "n": 1}, no_response=True)), {})
    same(container.read_item("1", "a")["n"], 1)


@check("time to live: of the container and of an item")
def _(c):
    container = c.container(default_ttl=1)
    container.create_item({"id": "1", "pk": "a"})
    container.create_item({"id": "2", "pk": "a", "ttl": -1})
    container.create_item({"id": "3", "pk": "a", "ttl": 1000})
    time.sleep(2.1)
    with raises(404):
        container.read_item("1", "a")
    same(sorted(all_of(container, "SELECT VALUE c.id FROM c")), ["2", "3"])
    container.create_item({"id": "1", "pk": "a"})


@check("read many: over all partitions, in any order, with some that are missing")
def _(c):
    people = c.people()
    wanted = [(f"d{n}", f"p{n % 20}") for n in range(0, 60, 2)] + [("none", "p1"), ("d1", "p2")]
    got = people.read_items(wanted)
    same(sorted(d["n"] for d in got), list(range(0, 60, 2)))


@check("read many: more than a thousand")
def _(c):
    container = c.container()
    for start in range(0, 1100, 100):
        container.execute_item_batch(
            [("create", ({"id": f"{n}", "pk": "a"},)) for n in range(start, start + 100)], "a")
    same(len(container.read_items([(f"{n}", "a") for n in range(1100)])), 1100)


@check("read all")
def _(c):
    got = list(c.people().read_all_items(max_item_count=7))
    same(sorted(d["n"] for d in got), list(range(60)))


@check("all of a partition key deleted")
def _(c):
    container = c.container()
    for n in range(30):
        container.create_item({"id": f"{n}", "pk": f"p{n % 3}"})
    container.delete_all_items_by_partition_key("p1")
    with raises(404):
        container.read_item("1", "p1")
    same(sorted(set(all_of(container, "SELECT VALUE c.pk FROM c"))), ["p0", "p2"])
    container.create_item({"id": "1", "pk": "p1"})


@check("all of a partition key deleted, hierarchical keys: a whole key, and no prefix")
def _(c):
    container = c.container(["/a", "/b"])
    for n in range(8):
        container.create_item({"id": f"{n}", "a": "x", "b": n % 2})
    with raises(400):
        container.delete_all_items_by_partition_key(["x"])
    container.delete_all_items_by_partition_key(["x", 1])
    same(all_of(container, "SELECT VALUE c.b FROM c"), [0, 0, 0, 0])


area("sessions")


@check("session token: another client reads what was written")
def _(c):
    from azure.cosmos import CosmosClient

    container = c.container()
    tokens = []
    container.create_item({"id": "1", "pk": "a"},
                          response_hook=lambda headers, _: tokens.append(headers["x-ms-session-token"]))
    with CosmosClient.from_connection_string(c.connection) as other:
        there = other.get_database_client(c.database.id).get_container_client(container.id)
        same(there.read_item("1", "a", session_token=tokens[0])["id"], "1")


@check("session token: the latest of a feed range")
def _(c):
    container = c.container()
    pairs = []
    key = container.feed_range_from_partition_key("a")
    for n in range(3):
        container.create_item({"id": f"{n}", "pk": "a"},
                              response_hook=lambda h, _: pairs.append((key, h["x-ms-session-token"])))
    same(container.get_latest_session_token(pairs, key), pairs[-1][1])
