"""Checks of pages, continuations and scopes of queries: every document once."""

from fixture import all_of, holds, raises, same
from runner import area, check

area("queries")


def paged(container, query, size, **options):
    """Returns the pages of a query, each by a query of its own that goes on with the
    continuation of the page before."""
    pages, token = [], None
    while True:
        pager = container.query_items(query, max_item_count=size, **options).by_page(token)
        pages.append(list(next(pager)))
        token = pager.continuation_token
        if not token:
            return pages
        holds(len(pages) < 100, "no end")


@check("pages: every document once, of all partitions")
def _(c):
    for size in (1, 7, 60, 1000, -1):
        got = [d["n"] for d in all_of(c.people(), "SELECT * FROM c", max_item_count=size)]
        same(len(got), 60)
        same(sorted(got), list(range(60)))


@check("pages, ORDER BY, OFFSET LIMIT: none is longer than asked for")
def _(c):
    for query, wanted in {
        "SELECT VALUE c.n FROM c ORDER BY c.n": list(range(60)),
        "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 10 LIMIT 21": list(range(10, 31)),
        "SELECT TOP 33 VALUE c.n FROM c ORDER BY c.n": list(range(33)),
    }.items():
        pages = [list(p) for p in c.people().query_items(
            query, enable_cross_partition_query=True, max_item_count=7).by_page()]
        same([n for page in pages for n in page], wanted)
        holds(max(map(len, pages)) <= 7)


@check("continuation: of one partition key, by new queries")
def _(c):
    container = c.container()
    for n in range(25):
        container.create_item({"id": f"{n}", "pk": "a", "n": n})
    pages = paged(container, "SELECT VALUE c.n FROM c", 4, partition_key="a")
    same(sorted(n for page in pages for n in page), list(range(25)))
    same(max(map(len, pages)), 4)
    pages = paged(container, "SELECT VALUE c.n FROM c ORDER BY c.n DESC", 10, partition_key="a")
    same([n for page in pages for n in page], list(range(24, -1, -1)))


@check("continuation: while documents are written")
def _(c):
    container = c.container()
    for n in range(20):
        container.create_item({"id": f"{n:02}", "pk": "a"})
    pager = container.query_items("SELECT VALUE c.id FROM c", partition_key="a", max_item_count=5).by_page()
    got = list(next(pager))
    container.delete_item(got[0], "a")
    container.upsert_item({"id": got[1], "pk": "a", "n": 1})
    token = pager.continuation_token
    for page in container.query_items("SELECT VALUE c.id FROM c", partition_key="a", max_item_count=5).by_page(token):
        got += list(page)
    same(sorted(set(got)), [f"{n:02}" for n in range(20)])


@check("continuation: of another query, or one that is none, is 400")
def _(c):
    pager = c.people().query_items("SELECT * FROM c", partition_key="p1", max_item_count=1).by_page()
    list(next(pager))
    for token, query in ((pager.continuation_token, "SELECT VALUE c.id FROM c"), ("no token", "SELECT * FROM c")):
        with raises(400):
            list(next(c.people().query_items(query, partition_key="p1", max_item_count=1).by_page(token)))


@check("pages: results of more than 4 MB")
def _(c):
    container = c.container()
    for n in range(8):
        container.create_item({"id": f"{n}", "pk": "a", "text": "x" * 1_000_000})
    pages = [list(p) for p in container.query_items("SELECT * FROM c", partition_key="a").by_page()]
    holds(len(pages) >= 2)
    same(sorted(d["id"] for page in pages for d in page), [f"{n}" for n in range(8)])


@check("feed range: each holds its share")
def _(c):
    people = c.people()
    got = []
    for feed_range in people.read_feed_ranges():
        share = list(people.query_items("SELECT VALUE c.n FROM c", feed_range=feed_range))
        holds(0 < len(share) < 60)
        got += share
    same(sorted(got), list(range(60)))


@check("feed range: of a partition key")
def _(c):
    people = c.people()
    key = people.feed_range_from_partition_key("p3")
    same(sorted(people.query_items("SELECT VALUE c.n FROM c", feed_range=key)), [3, 23, 43])


@check("prefix of a hierarchical key")
def _(c):
    tenants = c.tenants()
    one = sorted(tenants.query_items("SELECT VALUE c.n FROM c", partition_key=["t1"]))
    same(one, list(range(1, 36, 3)))
    two = sorted(tenants.query_items("SELECT VALUE c.n FROM c", partition_key=["t1", 0]))
    same(two, [4, 16, 28])
    whole = sorted(tenants.query_items("SELECT VALUE c.n FROM c", partition_key=["t1", 0, True]))
    same(whole, [4, 16, 28])
    same(list(tenants.query_items("SELECT * FROM c", partition_key=["none"])), [])


@check("prefix of a hierarchical key, ORDER BY, pages, COUNT")
def _(c):
    tenants = c.tenants()
    ordered = list(tenants.query_items("SELECT VALUE c.n FROM c ORDER BY c.n DESC", partition_key=["t2"], max_item_count=5))
    same(ordered, list(range(35, 0, -3)))
    same(list(tenants.query_items("SELECT VALUE COUNT(1) FROM c", partition_key=["t2"])), [12])
    same(sorted(d["n"] for d in all_of(tenants, "SELECT * FROM c WHERE c.tenant='t0'")), list(range(0, 36, 3)))


@check("all partitions: charges of pages")
def _(c):
    charges = []
    list(c.people().query_items("SELECT * FROM c", enable_cross_partition_query=True, max_item_count=20,
                                response_hook=lambda headers, _: charges.append(float(headers["x-ms-request-charge"]))))
    holds(charges and all(charge > 0 for charge in charges))


@check("metrics")
def _(c):
    got = list(c.people().query_items("SELECT * FROM c WHERE c.n=1", enable_cross_partition_query=True,
                                      populate_query_metrics=True, populate_index_metrics=True))
    same([d["n"] for d in got], [1])
