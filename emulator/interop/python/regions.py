"""Checks of accounts with several regions."""

import json
import os
import re
import urllib.request
import uuid
from contextlib import contextmanager

from azure.core.exceptions import ServiceRequestError
from azure.cosmos import CosmosClient, PartitionKey

from fixture import holds, same
from runner import area, check

area("regions")

WEST, NORTH = "West Europe", "North Europe"


def explorer(url, method, path, **body):
    """Calls the explorer of the emulator."""
    with urllib.request.urlopen(url + "_explorer/") as page:
        token = re.search('explorer-token" content="([^"]*)"', page.read().decode())[1]
    request = urllib.request.Request(
        url + "_explorer/api/" + path, json.dumps(body).encode() if body else None,
        {"X-Explorer-Token": token}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class Regions:
    """What changes the regions of an account."""

    def __init__(self, url):
        self.url = url

    def change(self, name, **body):
        explorer(self.url, "POST", "regions", name=name, **body)

    def fail(self, **fault):
        explorer(self.url, "POST", "faults", **fault)

    def restore(self):
        for fault in explorer(self.url, "GET", "account")["faults"]:
            explorer(self.url, "DELETE", f"faults?id={fault['id']}")
        for name in (WEST, NORTH):
            self.change(name, online=True)
        self.change(WEST, failover="planned")


@contextmanager
def regions(*preferred, variable="COSMOS_REGIONS_CONNECTION_STRING", **options):
    """Returns a container of an account with two regions, as a client sees it that prefers
    some, and what changes the regions."""
    connection = os.environ[variable]
    account = Regions(re.search("AccountEndpoint=([^;]*);", connection)[1])
    with CosmosClient.from_connection_string(connection, preferred_locations=list(preferred), **options) as client:
        database = client.create_database(f"python-{uuid.uuid4()}")
        try:
            yield database.create_container("c", PartitionKey("/pk")), account
        finally:
            account.restore()


def at(requests):
    """Returns a hook that notes the address that answers a request."""
    return lambda response: requests.append(response.http_request.url.split("/")[2])


def reads_go_on(fail):
    """Reads from a region that fails, and from the other one then."""
    with regions(NORTH, WEST) as (container, account):
        written, before, after = [], [], []
        container.create_item({"id": "1", "pk": "a"}, raw_response_hook=at(written))
        same(container.read_item("1", "a", raw_response_hook=at(before))["id"], "1")
        holds(written[-1] != before[-1], "reads go to the region of writes")
        fail(account)
        for _ in range(2):
            same(container.read_item("1", "a", raw_response_hook=at(after))["id"], "1")
        same(after[-1], written[-1])
        same(len(list(container.query_items("SELECT * FROM c", partition_key="a"))), 1)


@check("preferred regions, reads go on while a region is offline")
def _(_c):
    reads_go_on(lambda account: account.change(NORTH, online=False))


@check("reads go on while a region answers 503")
def _(_c):
    reads_go_on(lambda account: account.fail(status=503, region=NORTH))


@check("writes follow a planned failover")
def _(_c):
    with regions(WEST, NORTH) as (container, account):
        before, after = [], []
        container.create_item({"id": "1", "pk": "a"}, raw_response_hook=at(before))
        account.change(NORTH, failover="planned")
        container.create_item({"id": "2", "pk": "a"}, raw_response_hook=at(after))
        holds(before[-1] != after[-1], "writes go to the same region")
        same(container.read_item("2", "a")["id"], "2")


# While the lost region refuses connections, the SDK reads the account again only every five
# minutes. It finds the new write region when the lost one is back and refuses the write.
@check("writes follow a forced failover")
def _(_c):
    with regions(WEST, NORTH) as (container, account):
        container.create_item({"id": "1", "pk": "a"})
        account.change(NORTH, failover="forced")
        try:
            container.create_item({"id": "2", "pk": "a"})
            raise AssertionError("a write to a region that is offline")
        except ServiceRequestError:
            pass
        account.change(WEST, online=True)
        container.create_item({"id": "2", "pk": "a"})
        same(container.read_item("1", "a")["id"], "1")


@check("several write regions")
def _(_c):
    variable = "COSMOS_WRITE_REGIONS_CONNECTION_STRING"
    with regions(NORTH, WEST, variable=variable, multiple_write_locations=True) as (container, account):
        near, read, far = [], [], []
        container.create_item({"id": "1", "pk": "a"}, raw_response_hook=at(near))
        container.read_item("1", "a", raw_response_hook=at(read))
        same(near[-1], read[-1])
        account.change(NORTH, online=False)
        container.create_item({"id": "2", "pk": "a"}, raw_response_hook=at(far))
        holds(near[-1] != far[-1], "writes go to a region that is offline")
        same(container.read_item("2", "a")["id"], "2")
