"""Checks of the asynchronous client."""

import asyncio

from azure.cosmos import PartitionKey
from azure.cosmos.aio import CosmosClient
from azure.cosmos.exceptions import CosmosHttpResponseError

from fixture import holds, person, same
from runner import area, check

area("clients")


def asynchronous(name):
    """Adds a check that is a coroutine. It gets a container and the context."""

    def add(run):
        async def start(c):
            async with CosmosClient.from_connection_string(c.connection) as client:
                database = await client.create_database_if_not_exists(c.database.id)
                await run(await database.create_container(c.name(), PartitionKey("/pk")), c)

        check(f"asynchronous: {name}")(lambda c: asyncio.run(start(c)))

    return add


async def rows(container, query, **options):
    return [row async for row in container.query_items(query, **options)]


@asynchronous("create, read, replace, upsert, delete")
async def _(container, c):
    created = await container.create_item({"id": "1", "pk": "a", "n": 1})
    same(dict(await container.read_item("1", "a")), dict(created))
    same((await container.replace_item("1", {"id": "1", "pk": "a", "n": 2}))["n"], 2)
    same((await container.upsert_item({"id": "1", "pk": "a", "n": 3}))["n"], 3)
    await container.delete_item("1", "a")
    try:
        await container.read_item("1", "a")
        holds(False, "no error")
    except CosmosHttpResponseError as err:
        same(err.status_code, 404)


@asynchronous("a hundred writes at once, then queries")
async def _(container, c):
    await asyncio.gather(*(container.create_item(person(n)) for n in range(100)))
    same(await rows(container, "SELECT VALUE c.n FROM c ORDER BY c.n", max_item_count=9), list(range(100)))
    same(await rows(container, "SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 2 LIMIT 2"), [97, 96])
    same(await rows(container, "SELECT VALUE COUNT(1) FROM c"), [100])
    same(sorted(await rows(container, "SELECT DISTINCT VALUE c.team FROM c")), list("abcd"))
    same(sorted(await rows(container, "SELECT VALUE c.n FROM c", partition_key="p3")), [3, 23, 43, 63, 83])
    same(len(await container.read_items([(f"d{n}", f"p{n % 20}") for n in range(100)])), 100)
    same(len([d async for d in container.read_all_items(max_item_count=7)]), 100)


@asynchronous("continuations of queries")
async def _(container, c):
    for n in range(10):
        await container.create_item({"id": f"{n}", "pk": "a", "n": n})
    got, token = [], None
    while token or not got:
        pager = container.query_items("SELECT VALUE c.n FROM c", partition_key="a", max_item_count=3).by_page(token)
        async for n in await pager.__anext__():
            got.append(n)
        token = pager.continuation_token
    same(sorted(got), list(range(10)))


@asynchronous("patches and batches")
async def _(container, c):
    results = await container.execute_item_batch(
        [("create", ({"id": "1", "pk": "a", "n": 1},)), ("patch", ("1", [{"op": "incr", "path": "/n", "value": 2}]))], "a")
    same([r["statusCode"] for r in results], [201, 200])
    same((await container.patch_item("1", "a", [{"op": "set", "path": "/m", "value": [1]}]))["m"], [1])


@asynchronous("the change feed from the beginning and from a continuation")
async def _(container, c):
    async def changes(**options):
        got = [d["n"] async for d in container.query_items_change_feed(**options)]
        return sorted(got), container.client_connection.last_response_headers["etag"]

    for n in range(12):
        await container.create_item(person(n))
    got, token = await changes(start_time="Beginning")
    same(got, list(range(12)))
    await container.create_item(person(12))
    same((await changes(continuation=token))[0], [12])
    ranges = [r async for r in container.read_feed_ranges()]
    same(len(ranges), 4)


@asynchronous("throughput")
async def _(container, c):
    same((await container.get_throughput()).offer_throughput, 400)
    same((await container.replace_throughput(500)).offer_throughput, 500)
