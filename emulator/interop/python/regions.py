"""Checks of accounts with several regions."""

import json
import os
import re
import urllib.request
import uuid
from contextlib import contextmanager

from azure.cosmos import CosmosClient, PartitionKey

from fixture import holds, same
from runner import area, check

area("regions")

WEST, NORTH = "West Europe", "North Europe"


def change(url, **body):
    """Changes a region, by the explorer of the emulator."""
    with urllib.request.urlopen(url + "_explorer/") as page:
        token = re.search('explorer-token" content="([^"]*)"', page.read().decode())[1]
    request = urllib.request.Request(
        url + "_explorer/api/regions", json.dumps(body).encode(), {"X-Explorer-Token": token}, method="POST")
    urllib.request.urlopen(request).close()


@contextmanager
def regions(*preferred):
    """Returns a container of an account with two regions, as a client sees it that prefers
    some, what changes a region, and the endpoints that answered."""
    connection = os.environ["COSMOS_REGIONS_CONNECTION_STRING"]
    url = re.search("AccountEndpoint=([^;]*);", connection)[1]
    with CosmosClient.from_connection_string(connection, preferred_locations=list(preferred)) as client:
        database = client.create_database(f"python-{uuid.uuid4()}")
        try:
            yield database.create_container("c", PartitionKey("/pk")), lambda **body: change(url, **body)
        finally:
            for name in (WEST, NORTH):
                change(url, name=name, online=True)
            change(url, name=WEST, failover="planned")


def at(requests):
    """Returns a hook that notes to which address each request goes."""
    return lambda response: requests.append(response.http_request.url.split("/")[2])


@check("reads go on in another region")
def _(_c):
    with regions(NORTH, WEST) as (container, set_region):
        written, read, after = [], [], []
        container.create_item({"id": "1", "pk": "a"}, raw_response_hook=at(written))
        same(container.read_item("1", "a", raw_response_hook=at(read))["id"], "1")
        holds(written[-1] != read[-1], "reads go to the region of writes")
        set_region(name=NORTH, online=False)
        for _ in range(2):
            same(container.read_item("1", "a", raw_response_hook=at(after))["id"], "1")
        same(after[-1], written[-1])
        same(len(list(container.query_items("SELECT * FROM c", partition_key="a"))), 1)


@check("writes follow a planned failover")
def _(_c):
    with regions(WEST, NORTH) as (container, set_region):
        before, after = [], []
        container.create_item({"id": "1", "pk": "a"}, raw_response_hook=at(before))
        set_region(name=NORTH, failover="planned")
        container.create_item({"id": "2", "pk": "a"}, raw_response_hook=at(after))
        holds(before[-1] != after[-1], "writes go to the same region")
        same(container.read_item("2", "a")["id"], "2")


@check("writes follow a forced failover")
def _(_c):
    with regions(WEST, NORTH) as (container, set_region):
        container.create_item({"id": "1", "pk": "a"})
        set_region(name=NORTH, failover="forced")
        container.create_item({"id": "2", "pk": "a"})
        same(container.read_item("1", "a")["id"], "1")
