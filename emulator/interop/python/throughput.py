"""Checks of provisioned throughput."""

from azure.cosmos import PartitionKey, ThroughputProperties

from fixture import holds, raises, same
from runner import area, check

area("throughput")


@check("read, replace")
def _(c):
    container = c.container(offer_throughput=400)
    got = container.get_throughput()
    same(got.offer_throughput, 400)
    same(got.properties["content"]["offerThroughput"], 400)
    same(container.replace_throughput(700).offer_throughput, 700)
    same(container.get_throughput().offer_throughput, 700)


@check("read: a container without a value of its own has 400 RU/s")
def _(c):
    same(c.container().get_throughput().offer_throughput, 400)


@check("read, list: a container that shares its database's has none")
def _(c):
    database = c.client.create_database_if_not_exists("python-sharing", offer_throughput=500)
    container = database.create_container_if_not_exists("c", PartitionKey("/pk"))
    owners = [o["offerResourceId"] for o in c.client.client_connection.ReadOffers()]
    holds(database.read()["_rid"] in owners)
    holds(container.read()["_rid"] not in owners)


@check("replace: steps of 100, and not too low")
def _(c):
    container = c.container(offer_throughput=400)
    for wrong in (450, 100):
        with raises(400):
            container.replace_throughput(wrong)


@check("autoscale, replace")
def _(c):
    container = c.container(offer_throughput=ThroughputProperties(
        auto_scale_max_throughput=4000, auto_scale_increment_percent=0))
    same(container.get_throughput().auto_scale_max_throughput, 4000)
    container.replace_throughput(ThroughputProperties(auto_scale_max_throughput=7000))
    same(container.get_throughput().auto_scale_max_throughput, 7000)


@check("autoscale: of a database")
def _(c):
    database = c.client.create_database_if_not_exists(
        "python-autoscale", offer_throughput=ThroughputProperties(auto_scale_max_throughput=5000))
    same(database.get_throughput().auto_scale_max_throughput, 5000)


def migrated(container, header):
    """Asks for a change between manual and autoscale throughput by a header, as this
    SDK has no other way, and returns the throughput afterwards."""
    offer = container.get_throughput().properties
    connection = container.client_connection
    connection.Replace(offer, "/" + offer["_self"], "offers", offer["_rid"].lower(), {header: "true"})
    return container.get_throughput()


@check("manual to autoscale, autoscale to manual")
def _(c):
    container = c.container(offer_throughput=400)
    got = migrated(container, "x-ms-cosmos-migrate-offer-to-autopilot")
    same(got.auto_scale_max_throughput, 1000)
    holds(not got.offer_throughput)
    got = migrated(container, "x-ms-cosmos-migrate-offer-to-manual-throughput")
    same(got.offer_throughput, 1000)
    holds(not got.auto_scale_max_throughput)


@check("list")
def _(c):
    container = c.container(offer_throughput=500)
    offers = list(c.client.client_connection.ReadOffers())
    same([o["content"]["offerThroughput"] for o in offers if o["offerResourceId"] == container.read()["_rid"]], [500])
