"""Checks of errors, and of what the emulator does not have."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from azure.cosmos import CosmosClient, PartitionKey
from azure.cosmos.exceptions import CosmosHttpResponseError

from fixture import all_of, holds, raises, same
from runner import area, check

area("errors")


@check("400: what is no item")
def _(c):
    container = c.container()
    for wrong in ({"id": "1", "pk": "a", "ttl": "soon"}, {"id": "1", "pk": {"deep": 1}}, {"id": "x" * 2000, "pk": "a"},
                  {"id": "1", "pk": "a", "n": float("nan")}, {"id": "1", "pk": "a", "n": float("inf")}):
        with raises(400):
            container.create_item(wrong)


@check("400: a deeply nested document")
def _(c):
    deep = {}
    for _ in range(200):
        deep = {"a": deep}
    with raises(400):
        c.container().create_item({"id": "1", "pk": "a", "deep": deep})


@check("400: parameters of more than 512 KB")
def _(c):
    query = {"query": "SELECT * FROM c WHERE c.id = @p", "parameters": [{"name": "@p", "value": "x" * 530_000}]}
    with raises(400):
        list(c.people().query_items(**query, partition_key="p1"))


@check("400: ids of containers that are too long")
def _(c):
    with raises(400):
        c.database.create_container("x" * 256, PartitionKey("/pk"))
    with raises(400):
        c.database.create_container(c.name(), PartitionKey("no slash"))


@check("401: a wrong key")
def _(c):
    url = dict(p.split("=", 1) for p in c.connection.strip(";").split(";"))["AccountEndpoint"]
    with raises(401):
        with CosmosClient(url, "d3Jvbmc=") as client:
            client.get_database_client("none").read()


@check("404: an item, a container, a database, each named")
def _(c):
    container = c.container()
    with raises(404, text="ResourceType: Document, OperationType: Read"):
        container.read_item("none", "a")
    with raises(404, text="ResourceType: Document, OperationType: Delete"):
        container.delete_item("none", "a")
    with raises(404):
        c.database.get_container_client("none").create_item({"id": "1", "pk": "a"})
    with raises(404):
        c.client.get_database_client("none").create_container("c", PartitionKey("/pk"))


@check("404: a query of a container that was deleted")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    same(len(all_of(container, "SELECT * FROM c")), 1)
    c.database.delete_container(container)
    with raises(404):
        all_of(container, "SELECT * FROM c")


@check("409: an item that is there")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    with raises(409, text="ResourceType: Document, OperationType: Create"):
        container.create_item({"id": "1", "pk": "a"})


@check("412: an etag of before")
def _(c):
    from azure.core import MatchConditions

    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    with raises(412, text="PreconditionFailed"):
        container.replace_item("1", {"id": "1", "pk": "a"}, etag='"no"', match_condition=MatchConditions.IfNotModified)


@check("413: a document of 2 MB")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a", "text": "x" * (2 * 1024 * 1024 - 1000)})
    with raises(413):
        container.create_item({"id": "2", "pk": "a", "text": "x" * (2 * 1024 * 1024)})


def throttled(name, **options):
    client = CosmosClient.from_connection_string(os.environ["COSMOS_THROTTLED_CONNECTION_STRING"], **options)
    database = client.create_database_if_not_exists("python-throttled")
    return client, database.create_container_if_not_exists(name, PartitionKey("/pk"))


@check("429: the SDK waits and repeats")
def _(c):
    client, container = throttled("patient")
    statuses = []
    with client:
        for n in range(20):  # about 50 RU each, of 400 RU/s
            container.upsert_item({"id": f"{n}", "pk": "a", "text": "x" * 100_000},
                                  raw_response_hook=lambda r: statuses.append(r.http_response.status_code))
    holds(429 in statuses, statuses)
    same(sum(status in (200, 201) for status in statuses), 20)


@check("429: the error when the SDK gives up")
def _(c):
    client, container = throttled("impatient", retry_throttle_total=1, retry_fixed_interval=1)
    with client:
        try:
            for n in range(60):
                container.upsert_item({"id": f"{n}", "pk": "a", "text": "x" * 100_000})
        except CosmosHttpResponseError as err:
            same((err.status_code, err.sub_status), (429, 3200))
            holds(int(err.headers["x-ms-retry-after-ms"]) > 0)
            return
    holds(False, "no error")


area("refused with 400")


def refused(kind, run):
    @check(kind, result="refused")
    def _(c):
        with raises(400, text=f"does not support {kind}"):
            run(c.container())


BODY = {"id": "x", "body": "function () {}", "serverScript": "function () {}",
        "triggerType": "Pre", "triggerOperation": "All"}

refused("stored procedures", lambda c: c.scripts.create_stored_procedure(BODY))
refused("triggers", lambda c: c.scripts.create_trigger(BODY))
refused("user-defined functions", lambda c: c.scripts.create_user_defined_function(BODY))
refused("conflicts", lambda c: list(c.list_conflicts()))


@check("stored procedures: to list and to execute", result="refused")
def _(c):
    container = c.container()
    with raises(400):
        list(container.scripts.list_stored_procedures())
    with raises(400):
        container.scripts.execute_stored_procedure("x", partition_key="a")


@check("users", result="refused")
def _(c):
    with raises(400, text="does not support users"):
        c.database.create_user({"id": "u"})


@check("permissions", result="refused")
def _(c):
    with raises(400, text="does not support permissions"):
        list(c.database.get_user_client("u").list_permissions())


area("clients")


@check("over plain HTTP")
def _(c):
    client, container = throttled("plain")
    with client:
        holds(client.client_connection.url_connection.startswith("http://"))
        same(container.create_item({"id": f"{time.time()}", "pk": "a"})["pk"], "a")


@check("parallel: ten threads write and read")
def _(c):
    container = c.container()

    def work(thread):
        for n in range(20):
            container.create_item({"id": f"{thread}-{n}", "pk": f"{thread}"})
            container.read_item(f"{thread}-{n}", f"{thread}")
        return len(list(container.query_items("SELECT * FROM c", partition_key=f"{thread}")))

    with ThreadPoolExecutor(10) as pool:
        same(list(pool.map(work, range(10))), [20] * 10)
    same(all_of(container, "SELECT VALUE COUNT(1) FROM c"), [200])


@check("parallel: ten threads compete for one item by its etag")
def _(c):
    from azure.core import MatchConditions

    container = c.container()
    container.create_item({"id": "1", "pk": "a", "n": 0})

    def add(_):
        for _ in range(5):
            while True:
                doc = container.read_item("1", "a")
                doc["n"] += 1
                try:
                    container.replace_item("1", doc, etag=doc["_etag"], match_condition=MatchConditions.IfNotModified)
                    break
                except CosmosHttpResponseError as err:
                    same(err.status_code, 412)

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(add, range(10)))
    same(container.read_item("1", "a")["n"], 50)
