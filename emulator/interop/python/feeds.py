"""Checks of the change feed, and of what clients see when partitions split."""

import time
from datetime import datetime, timezone

from fixture import all_of, holds, raises, same
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


area("partitions move")


def split(container):
    """Raises the throughput so far that the four physical partitions split."""
    container.replace_throughput(50_000)
    holds(len(list(container.read_feed_ranges(force_refresh=True))) > 4)


@check("split: reads, writes and queries go on")
def _(c):
    container = c.container(offer_throughput=10_000)
    fill(container, 0, 40)
    same(len(all_of(container, "SELECT * FROM c")), 40)
    split(container)
    for n in range(40):
        same(container.read_item(f"{n}", f"p{n % 7}")["n"], n)
    fill(container, 40, 50)
    same(all_of(container, "SELECT VALUE c.n FROM c ORDER BY c.n"), list(range(50)))
    same(len(container.read_items([(f"{n}", f"p{n % 7}") for n in range(50)])), 50)


@check("split: in the middle of a query, every document once")
def _(c):
    container = c.container(offer_throughput=10_000)
    fill(container, 0, 60)
    pages = container.query_items(
        "SELECT VALUE c.n FROM c", enable_cross_partition_query=True, max_item_count=5).by_page()
    got = list(next(pages))
    split(container)
    for page in pages:
        got += list(page)
    same(sorted(got), list(range(60)))


@check("split: in the middle of ORDER BY, every document")
def _(c):
    container = c.container(offer_throughput=10_000)
    fill(container, 0, 60)
    pages = container.query_items(
        "SELECT VALUE c.n FROM c ORDER BY c.n", enable_cross_partition_query=True, max_item_count=5).by_page()
    got = list(next(pages))
    split(container)
    for page in pages:  # the SDK reads a partition that split from its beginning, so some rows come twice
        got += list(page)
    same(sorted(set(got)), list(range(60)))


@check("split: a continuation of one partition key")
def _(c):
    container = c.container(offer_throughput=10_000)
    fill(container, 0, 60)
    pages = container.query_items("SELECT VALUE c.n FROM c", partition_key="p3", max_item_count=4).by_page()
    got = list(next(pages))
    split(container)
    more = container.query_items("SELECT VALUE c.n FROM c", partition_key="p3", max_item_count=4)
    for page in more.by_page(pages.continuation_token):
        got += list(page)
    same(sorted(got), list(range(3, 60, 7)))


@check("split: the change feed goes on, every change once")
def _(c):
    container = c.container(offer_throughput=10_000)
    fill(container, 0, 30)
    ranges = list(container.read_feed_ranges())
    whole, token = changes(container, start_time="Beginning")
    same(sorted(whole), list(range(30)))
    tokens = [changes(container, start_time="Beginning", feed_range=r)[1] for r in ranges]
    split(container)
    fill(container, 30, 45)
    same(sorted(changes(container, continuation=token)[0]), list(range(30, 45)))
    same(sorted(n for t in tokens for n in changes(container, continuation=t)[0]), list(range(30, 45)))


@check("split: feed ranges of before hold their share")
def _(c):
    container = c.container(offer_throughput=10_000)
    fill(container, 0, 30)
    ranges = list(container.read_feed_ranges())
    split(container)
    got = [n for r in ranges for n in container.query_items("SELECT VALUE c.n FROM c", feed_range=r)]
    same(sorted(got), list(range(30)))
    with raises(404):
        container.read_item("none", "p1")
