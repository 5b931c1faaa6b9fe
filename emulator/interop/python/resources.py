"""Checks of the account, databases and containers."""

from azure.cosmos import GlobalSecondaryIndexDefinition, PartitionKey, ThroughputProperties

from fixture import all_of, holds, raises, same
from runner import area, check

area("account")


@check("read")
def _(c):
    account = c.client.get_database_account()
    holds(account.ConsistencyPolicy["defaultConsistencyLevel"] in ("Strong", "Session"))
    holds(account.WritableLocations and account.ReadableLocations)


area("databases")


@check("create, read, delete")
def _(c):
    database = c.client.create_database("python-one")
    properties = database.read()
    same(properties["id"], "python-one")
    holds(properties["_rid"] and properties["_self"] and properties["_etag"] and properties["_ts"])
    c.client.delete_database("python-one")
    with raises(404):
        database.read()


@check("delete: what is not there is 404")
def _(c):
    with raises(404):
        c.client.delete_database("python-none")


@check("create: twice is 409")
def _(c):
    c.client.create_database_if_not_exists("python-two")
    with raises(409):
        c.client.create_database("python-two")


@check("create if missing")
def _(c):
    first = c.client.create_database_if_not_exists("python-three").read()
    same(c.client.create_database_if_not_exists("python-three").read()["_rid"], first["_rid"])


@check("list: in pages of one")
def _(c):
    for n in range(3):
        c.client.create_database_if_not_exists(f"python-list-{n}")
    pages = list(c.client.list_databases(max_item_count=1).by_page())
    ids = [d["id"] for page in pages for d in page]
    holds({f"python-list-{n}" for n in range(3)} <= set(ids))
    same(len(ids), len(set(ids)))


@check("query: with a parameter")
def _(c):
    found = c.client.query_databases("SELECT * FROM root r WHERE r.id=@id",
                                     parameters=[{"name": "@id", "value": c.database.id}])
    same([d["id"] for d in found], [c.database.id])


@check("throughput: shared by containers")
def _(c):
    database = c.client.create_database("python-shared", offer_throughput=600)
    same(database.get_throughput().offer_throughput, 600)
    same(database.replace_throughput(800).offer_throughput, 800)
    container = database.create_container("c", PartitionKey("/pk"))
    container.create_item({"id": "1", "pk": "a"})
    c.client.delete_database(database)


area("containers")


@check("create, read, delete")
def _(c):
    container = c.container()
    properties = container.read()
    same(properties["partitionKey"], {"paths": ["/pk"], "kind": "Hash", "version": 2})
    same(properties["id"], container.id)
    same(properties["indexingPolicy"]["indexingMode"], "consistent")
    c.database.delete_container(container)
    with raises(404):
        container.read()


@check("create: again after a deletion is another container")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    rid = container.read()["_rid"]
    c.database.delete_container(container)
    again = c.database.create_container(container.id, PartitionKey("/pk"))
    holds(again.read()["_rid"] != rid)
    same(all_of(again, "SELECT * FROM c"), [])


@check("create: twice is 409")
def _(c):
    container = c.container()
    with raises(409):
        c.database.create_container(container.id, PartitionKey("/pk"))


@check("create if missing")
def _(c):
    container = c.container()
    again = c.database.create_container_if_not_exists(container.id, PartitionKey("/pk"))
    same(again.read()["_rid"], container.read()["_rid"])


@check("list, query")
def _(c):
    container = c.container()
    holds(container.id in [p["id"] for p in c.database.list_containers(max_item_count=2)])
    found = c.database.query_containers("SELECT * FROM r WHERE r.id=@id",
                                        parameters=[{"name": "@id", "value": container.id}])
    same([p["id"] for p in found], [container.id])


@check("replace, time to live")
def _(c):
    container = c.container()
    replaced = c.database.replace_container(container, PartitionKey("/pk"), default_ttl=60)
    same(replaced.read()["defaultTtl"], 60)
    with raises(400):
        c.database.replace_container(container, PartitionKey("/other"))


@check("physical partitions")
def _(c):
    ranges = list(c.client.client_connection._ReadPartitionKeyRanges(c.container().container_link))
    same(len(ranges), 4)
    same(ranges[0]["minInclusive"], "")
    same(ranges[-1]["maxExclusive"], "FF")


@check("feed ranges: of the container and of a key")
def _(c):
    container = c.container()
    ranges = list(container.read_feed_ranges())
    same(len(ranges), 4)
    one = container.feed_range_from_partition_key("a")
    same(sum(container.is_feed_range_subset(r, one) for r in ranges), 1)


@check("hierarchical keys: three levels")
def _(c):
    definition = c.container(["/a", "/b", "/c"]).read()["partitionKey"]
    same(definition, {"paths": ["/a", "/b", "/c"], "kind": "MultiHash", "version": 2})
    with raises(400):
        c.container(["/a", "/b", "/c", "/d"])


@check("unique keys")
def _(c):
    container = c.container(unique_key_policy={"uniqueKeys": [{"paths": ["/mail", "/site"]}]})
    container.create_item({"id": "1", "pk": "a", "mail": "x", "site": 1})
    with raises(409):
        container.create_item({"id": "2", "pk": "a", "mail": "x", "site": 1})
    with raises(409):
        container.upsert_item({"id": "2", "pk": "a", "mail": "x", "site": 1})
    container.create_item({"id": "2", "pk": "a", "mail": "x", "site": 2})
    container.create_item({"id": "1", "pk": "b", "mail": "x", "site": 1})
    same(container.read()["uniqueKeyPolicy"]["uniqueKeys"], [{"paths": ["/mail", "/site"]}])


@check("indexing policy: excluded paths and none")
def _(c):
    policy = {"indexingMode": "consistent", "automatic": True,
              "includedPaths": [{"path": "/*"}], "excludedPaths": [{"path": "/big/*"}]}
    got = c.container(indexing_policy=policy).read()["indexingPolicy"]
    holds("/big/*" in [p["path"] for p in got["excludedPaths"]])
    none = c.container(indexing_policy={"indexingMode": "none", "automatic": False})
    same(none.read()["indexingPolicy"]["indexingMode"], "none")
    with raises(400):
        c.container(indexing_policy={"indexingMode": "consistent", "includedPaths": [{"path": "no slash"}]})


@check("composite indexes, replace")
def _(c):
    container = c.container()
    policy = container.read()["indexingPolicy"]
    policy["compositeIndexes"] = [[{"path": "/a", "order": "ascending"}, {"path": "/b", "order": "descending"}]]
    c.database.replace_container(container, PartitionKey("/pk"), indexing_policy=policy)
    same(container.read()["indexingPolicy"]["compositeIndexes"], policy["compositeIndexes"])


@check("computed properties, replace")
def _(c):
    computed = [{"name": "lowerName", "query": "SELECT VALUE LOWER(c.name) FROM c"}]
    container = c.container(computed_properties=computed)
    same(container.read()["computedProperties"], computed)
    for n, name in enumerate(["Zoe", "Bob", "adam"]):
        container.create_item({"id": str(n), "pk": "a", "name": name})
    found = container.query_items("SELECT VALUE c.name FROM c WHERE c.lowerName IN ('bob', 'adam')", partition_key="a")
    same(sorted(found), ["Bob", "adam"])
    c.database.replace_container(container, PartitionKey("/pk"), computed_properties=[])
    same(list(container.query_items("SELECT VALUE c.lowerName FROM c", partition_key="a")), [])
    with raises(400):
        c.container(computed_properties=[{"name": "lowerName", "query": "SELECT LOWER(c.name) FROM c"}])


@check("spatial indexes")
def _(c):
    indexes = [{"path": "/at/*", "types": ["Point", "LineString", "Polygon", "MultiPolygon"]}]
    container = c.container(indexing_policy={"includedPaths": [{"path": "/*"}], "spatialIndexes": indexes})
    properties = container.read()
    same(properties["indexingPolicy"]["spatialIndexes"], indexes)
    same(properties["geospatialConfig"], {"type": "Geography"})
    box = {"xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1}
    with raises(400):
        c.container(indexing_policy={"spatialIndexes": [{"path": "/at/*", "types": ["Point"], "boundingBox": box}]})


@check("global secondary indexes: create, read, query, read-only")
def _(c):
    source = c.container()
    source.create_item({"id": "1", "pk": "a", "mail": "x@y", "n": 1})
    definition = GlobalSecondaryIndexDefinition(source.id, "SELECT c.mail, c.n FROM c")
    index, made = c.database.create_container(
        c.name(), PartitionKey("/mail"), global_secondary_index=definition,
        offer_throughput=ThroughputProperties(auto_scale_max_throughput=1000), return_properties=True)
    for properties in (made, index.read()):
        told = properties["globalSecondaryIndexDefinition"]
        same(told["sourceCollectionId"], source.id)
        same(told["sourceCollectionRid"], source.read()["_rid"])
        same(told["definition"], "SELECT c.mail, c.n FROM c")
        same(told["status"], "Active")
        holds("materializedViewDefinition" not in properties)
    source.upsert_item({"id": "1", "pk": "b", "mail": "x@y", "n": 2})
    source.patch_item("1", "a", [{"op": "set", "path": "/mail", "value": "z"}])
    found = list(index.query_items("SELECT * FROM c WHERE c.mail = @mail",
                                   parameters=[{"name": "@mail", "value": "x@y"}], partition_key="x@y"))
    same([(d["_id"], d["n"]) for d in found], [("1", 2)])
    entry = index.read_item(found[0]["id"], "x@y")
    same(entry["_etag"], found[0]["_etag"])
    holds("pk" not in entry)
    same(sorted(d["mail"] for d in index.query_items_change_feed(start_time="Beginning")), ["x@y", "z"])
    with raises(403):
        index.upsert_item(entry)
    with raises(403):
        index.delete_item(entry["id"], "x@y")
    c.database.replace_container(index, PartitionKey("/mail"), default_ttl=100)
    same(index.read()["globalSecondaryIndexDefinition"]["definition"], "SELECT c.mail, c.n FROM c")
    with raises(400):
        c.database.delete_container(source)
    c.database.delete_container(index)
    c.database.delete_container(source)


@check("global secondary indexes: manual throughput is 400")
def _(c):
    source = c.container()
    for throughput in (None, 400):
        with raises(400):
            c.database.create_container(
                c.name(), PartitionKey("/mail"), offer_throughput=throughput,
                global_secondary_index={"sourceCollectionId": source.id, "definition": "SELECT c.mail FROM c"})


@check("keys of version 1: items, queries, read_items over all partitions")
def _(c):
    container = c.database.create_container(c.name(), PartitionKey("/pk", version=1))
    keys = [f"key {n}" for n in range(20)] + ["x" * 300, "é日本", 1.5, 7, True, False, None]
    for key in keys:
        container.create_item({"id": "1", "pk": key})
        same(container.read_item("1", key)["pk"], key)
    same(len(all_of(container, "SELECT * FROM c")), len(keys))
    texts = [("1", key) for key in keys if key is not None]  # the SDK reads no many by null
    same(len(container.read_items(texts)), len(texts))
