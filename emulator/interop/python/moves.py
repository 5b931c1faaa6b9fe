"""Checks of what clients see when physical partitions split and merge."""

import json
import os
import re
import ssl
import urllib.request

from feeds import changes, fill
from fixture import all_of, holds, raises, same
from runner import area, check

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


def interrupted(c, query):
    """Returns the rows of a query over 60 documents whose partitions split after its first page."""
    container = c.container(offer_throughput=10_000)
    fill(container, 0, 60)
    pages = container.query_items(query, enable_cross_partition_query=True, max_item_count=5).by_page()
    got = list(next(pages))
    split(container)
    for page in pages:
        got += list(page)
    return got


@check("split: in the middle of a query, every document once")
def _(c):
    same(sorted(interrupted(c, "SELECT VALUE c.n FROM c")), list(range(60)))


@check("split: in the middle of ORDER BY, every document")
def _(c):
    # The SDK reads a partition that split from its beginning, so some rows come twice.
    same(sorted(set(interrupted(c, "SELECT VALUE c.n FROM c ORDER BY c.n"))), list(range(60)))


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


def merge(c, container, *ranges):
    """Merges physical partitions, by the explorer of the emulator."""
    url = re.search("AccountEndpoint=([^;]*)/;", c.connection)[1] + "/_explorer/"
    trust = ssl.create_default_context(cafile=os.environ["INTEROP_CERTIFICATE"])
    with urllib.request.urlopen(url, context=trust) as page:
        token = re.search('explorer-token" content="([^"]*)"', page.read().decode())[1]
    body = json.dumps({"db": c.database.id, "c": container.id, "ranges": ranges}).encode()
    request = urllib.request.Request(url + "api/merge", body, {"X-Explorer-Token": token}, method="POST")
    urllib.request.urlopen(request, context=trust).close()


@check("merge: reads, writes and queries go on")
def _(c):
    container = c.container()
    fill(container, 0, 40)
    same(len(all_of(container, "SELECT * FROM c ORDER BY c.n")), 40)
    merge(c, container, "1", "2")
    for n in range(40):
        same(container.read_item(f"{n}", f"p{n % 7}")["n"], n)
    fill(container, 40, 50)
    # A query that the SDK combines gives rows twice, if that query is what finds the merge.
    same(set(all_of(container, "SELECT VALUE c.n FROM c ORDER BY c.n")), set(range(50)))
    same(all_of(container, "SELECT VALUE c.n FROM c ORDER BY c.n"), list(range(50)))
    same(len(container.read_items([(f"{n}", f"p{n % 7}") for n in range(50)])), 50)
    same(len(list(container.read_feed_ranges(force_refresh=True))), 3)


@check("merge: in the middle of a query, every document once")
def _(c):
    container = c.container()
    fill(container, 0, 60)
    pages = container.query_items(
        "SELECT VALUE c.n FROM c", enable_cross_partition_query=True, max_item_count=5).by_page()
    got = list(next(pages))
    merge(c, container, "0", "1", "2", "3")
    for page in pages:
        got += list(page)
    same(sorted(got), list(range(60)))


@check("merge: the change feed goes on, every change once")
def _(c):
    container = c.container()
    fill(container, 0, 30)
    ranges = list(container.read_feed_ranges())
    whole, token = changes(container, start_time="Beginning")
    same(sorted(whole), list(range(30)))
    tokens = [changes(container, start_time="Beginning", feed_range=r)[1] for r in ranges]
    merge(c, container, "0", "1")
    fill(container, 30, 45)
    same(sorted(changes(container, continuation=token)[0]), list(range(30, 45)))
    same(sorted(n for t in tokens for n in changes(container, continuation=t)[0]), list(range(30, 45)))


@check("merge: feed ranges of before hold their share")
def _(c):
    container = c.container()
    fill(container, 0, 30)
    ranges = list(container.read_feed_ranges())
    merge(c, container, "2", "3")
    got = [n for r in ranges for n in container.query_items("SELECT VALUE c.n FROM c", feed_range=r)]
    same(sorted(got), list(range(30)))
