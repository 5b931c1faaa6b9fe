"""What checks share: fresh containers, one with documents, expectations."""

import itertools
import uuid
from contextlib import contextmanager

from azure.cosmos import PartitionKey
from azure.cosmos.exceptions import CosmosHttpResponseError


class Context:
    """The account under test. A container has four physical partitions."""

    def __init__(self, client, connection):
        self.client = client
        self.connection = connection
        self.database = client.create_database(f"python-{uuid.uuid4()}")
        self._numbers = itertools.count(1)
        self._people = self._tenants = None

    def name(self):
        """Returns an id that is not in use."""
        return f"python-{next(self._numbers)}"

    def container(self, path="/pk", **more):
        """Creates an empty container."""
        return self.database.create_container(self.name(), PartitionKey(path), **more)

    def people(self):
        """Returns a container of 60 documents over 20 partition keys, made once. A
        document has n from 0 to 59, a team of four, an age for all but each tenth, a
        list of tags, and an address. It is only read."""
        if self._people is None:
            self._people = self.container(indexing_policy={
                "indexingMode": "consistent",
                "automatic": True,
                "includedPaths": [{"path": "/*"}],
                "excludedPaths": [{"path": '/"_etag"/?'}],
                "compositeIndexes": [[
                    {"path": "/team", "order": "ascending"},
                    {"path": "/n", "order": "descending"},
                ]],
            })
            for n in range(60):
                self._people.create_item(person(n))
        return self._people

    def tenants(self):
        """Returns a container with a hierarchical key of three levels and 36
        documents, made once. It is only read."""
        if self._tenants is None:
            self._tenants = self.container(["/tenant", "/user", "/session"])
            for n in range(36):
                self._tenants.create_item(
                    {"id": f"d{n}", "tenant": f"t{n % 3}", "user": n % 4, "session": n % 2 == 0, "n": n})
        return self._tenants


def person(n):
    doc = {"id": f"d{n}", "pk": f"p{n % 20}", "n": n, "team": "abcd"[n % 4],
           "tags": [n % 3, n % 5], "address": {"city": f"c{n % 2}", "no": n}}
    if n % 10:
        doc["age"] = n * 7 % 50
    return doc


PEOPLE = [person(n) for n in range(60)]


def all_of(container, query, **options):
    """Returns all rows of a query over all partitions."""
    return list(container.query_items(query, enable_cross_partition_query=True, **options))


@contextmanager
def raises(status, substatus=None, text=""):
    """Expects an error of the service with a status, a substatus and a text."""
    try:
        yield
    except CosmosHttpResponseError as err:
        same(err.status_code, status)
        if substatus is not None:
            same(err.sub_status, substatus)
        if text not in str(err):
            raise AssertionError(f"not in the error: {text}\n{err}") from err
        return
    raise AssertionError(f"no error, want {status}")


def same(got, want):
    """Expects two values to be equal, and of one type."""
    if got != want or type(got) is not type(want):
        raise AssertionError(f"got {got!r:.400}, want {want!r:.400}")


def holds(condition, what=""):
    """Expects a condition."""
    if not condition:
        raise AssertionError(what or "the condition does not hold")
