"""Checks of the change feed."""

import os
import time
import uuid
from datetime import datetime, timezone

from azure.cosmos import CosmosClient, PartitionKey

from fixture import holds, raises, same
from runner import area, check

area("change feed")


def fill(container, start, end):
    for n in range(start, end):
        container.create_item({"id": f"{n}", "pk": f"p{n % 7}", "n": n})


def changes(container, **options):
    """Returns the n of all changes, and the continuation after them."""
    got = [d["n"] for d in container.query_items_change_feed(**options)]
    return got, container.client_connection.last_response_headers["etag"]


@check("beginning, continuation")
def _(c):
    container = c.container()
    fill(container, 0, 20)
    got, token = changes(container, start_time="Beginning")
    same(sorted(got), list(range(20)))
    fill(container, 20, 25)
    got, token = changes(container, continuation=token)
    same(sorted(got), [20, 21, 22, 23, 24])
    same(changes(container, continuation=token)[0], [])


@check("beginning, continuation: in pages of three")
def _(c):
    container = c.container()
    fill(container, 0, 25)
    pages = [[d["n"] for d in p] for p in
             container.query_items_change_feed(start_time="Beginning", max_item_count=3).by_page()]
    holds(max(map(len, pages)) <= 3)
    same(sorted(n for p in pages for n in p), list(range(25)))


@check("beginning: the latest version of each item, once")
def _(c):
    container = c.container()
    fill(container, 0, 3)
    container.upsert_item({"id": "1", "pk": "p1", "n": 100})
    container.patch_item("2", "p2", [{"op": "set", "path": "/n", "value": 200}])
    container.delete_item("0", "p0")
    same(sorted(changes(container, start_time="Beginning")[0]), [100, 200])


@check("now")
def _(c):
    container = c.container()
    fill(container, 0, 5)
    got, token = changes(container, start_time="Now")
    same(got, [])
    fill(container, 5, 8)
    same(sorted(changes(container, continuation=token)[0]), [5, 6, 7])


@check("time")
def _(c):
    container = c.container()
    fill(container, 0, 4)
    time.sleep(2)
    since = datetime.now(timezone.utc)
    time.sleep(1)
    fill(container, 4, 8)
    same(sorted(changes(container, start_time=since)[0]), [4, 5, 6, 7])


@check("partition key, continuation: in the order of writes")
def _(c):
    container = c.container()
    fill(container, 0, 21)
    got, token = changes(container, start_time="Beginning", partition_key="p3", max_item_count=1)
    same(got, [3, 10, 17])
    fill(container, 21, 28)
    same(changes(container, continuation=token, partition_key="p3")[0], [24])


@check("prefix of a hierarchical key")
def _(c):
    got = [d["n"] for d in c.tenants().query_items_change_feed(start_time="Beginning", partition_key=["t1"])]
    same(sorted(got), list(range(1, 36, 3)))


@check("feed range, continuation")
def _(c):
    container = c.container()
    fill(container, 0, 21)
    shares, tokens = [], []
    for feed_range in container.read_feed_ranges():
        got, token = changes(container, start_time="Beginning", feed_range=feed_range)
        shares += got
        tokens.append(token)
    same(sorted(shares), list(range(21)))
    fill(container, 21, 30)
    later = [n for token in tokens for n in changes(container, continuation=token)[0]]
    same(sorted(later), list(range(21, 30)))


@check("feed range: of a partition key")
def _(c):
    container = c.container()
    fill(container, 0, 21)
    key = container.feed_range_from_partition_key("p3")
    same(changes(container, start_time="Beginning", feed_range=key)[0], [3, 10, 17])


@check("continuation: one that is none is refused")
def _(c):
    try:
        changes(c.container(), continuation="no token")
    except Exception as err:
        holds(isinstance(err, ValueError) or getattr(err, "status_code", 0) == 400, err)
        return
    holds(False, "no error")


@check("all versions: creations, replacements and deletions from now on")
def _(c):
    with CosmosClient.from_connection_string(os.environ["COSMOS_VERSIONS_CONNECTION_STRING"]) as client:
        database = client.create_database(f"python-{uuid.uuid4()}")
        container = database.create_container("c", PartitionKey("/pk"))
        container.create_item({"id": "before", "pk": "a"})
        versions = container.query_items_change_feed(mode="AllVersionsAndDeletes", start_time="Now")
        same(list(versions), [])
        token = container.client_connection.last_response_headers["etag"]
        for n in range(3):
            container.upsert_item({"id": "1", "pk": "a", "n": n})
        container.delete_item("1", "a")
        got = list(container.query_items_change_feed(mode="AllVersionsAndDeletes", continuation=token))
        same([v["metadata"]["operationType"] for v in got], ["create", "replace", "replace", "delete"])
        same([v["current"]["n"] for v in got[:3]], [0, 1, 2])
        same(got[3]["metadata"]["id"], "1")


@check("all versions: an account without them refuses with 400")
def _(c):
    with raises(400):
        list(c.container().query_items_change_feed(mode="AllVersionsAndDeletes", start_time="Now"))
