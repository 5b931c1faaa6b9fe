"""Checks of patches and of batches."""

from azure.cosmos.exceptions import CosmosBatchOperationError

from fixture import all_of, holds, raises, same
from runner import area, check

area("patches")


@check("operations: set, add, replace, remove, incr, move")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a", "n": 1, "list": [1, 3], "gone": 1, "old": "x"})
    got = container.patch_item("1", "a", [
        {"op": "set", "path": "/set", "value": {"deep": [None]}},
        {"op": "add", "path": "/list/1", "value": 2},
        {"op": "add", "path": "/list/-", "value": 4},
        {"op": "replace", "path": "/list/0", "value": 0},
        {"op": "remove", "path": "/gone"},
        {"op": "incr", "path": "/n", "value": 4},
        {"op": "incr", "path": "/n", "value": -0.5},
        {"op": "move", "from": "/old", "path": "/new"},
    ])
    same({k: v for k, v in got.items() if not k.startswith("_")},
         {"id": "1", "pk": "a", "n": 4.5, "list": [0, 2, 3, 4], "set": {"deep": [None]}, "new": "x"})


@check("operations: all or none")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a", "n": 1})
    with raises(400):
        container.patch_item("1", "a", [{"op": "incr", "path": "/n", "value": 1}, {"op": "remove", "path": "/none"}])
    same(container.read_item("1", "a")["n"], 1)


@check("operations: not more than ten, not of the key, not of an id")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a", "n": 1})
    for operations in (
        [{"op": "incr", "path": "/n", "value": 1}] * 11,
        [{"op": "set", "path": "/pk", "value": "b"}],
        [{"op": "set", "path": "/id", "value": "2"}],
        [{"op": "set", "path": "/_ts", "value": 1}],
        [{"op": "double", "path": "/n", "value": 1}],
        [{"op": "set", "path": "n", "value": 1}],
    ):
        with raises(400):
            container.patch_item("1", "a", operations)
    with raises(404):
        container.patch_item("2", "a", [{"op": "incr", "path": "/n", "value": 1}])


@check("condition")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a", "n": 1, "state": "new"})
    once = {"patch_operations": [{"op": "set", "path": "/state", "value": "done"}],
            "filter_predicate": "from c where c.state = 'new' and c.n < 2"}
    same(container.patch_item("1", "a", **once)["state"], "done")
    with raises(412):
        container.patch_item("1", "a", **once)


@check("operations: without a body in the answer")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    same(dict(container.patch_item("1", "a", [{"op": "set", "path": "/n", "value": 1}], no_response=True)), {})


area("batches")


@check("all or nothing: each kind of operation")
def _(c):
    container = c.container()
    etag = container.create_item({"id": "1", "pk": "a", "n": 1})["_etag"]
    results = container.execute_item_batch([
        ("create", ({"id": "2", "pk": "a"},)),
        ("read", ("1",)),
        ("replace", ("1", {"id": "1", "pk": "a", "n": 2}), {"if_match_etag": etag}),
        ("upsert", ({"id": "3", "pk": "a"},)),
        ("patch", ("1", [{"op": "incr", "path": "/n", "value": 5}]), {"filter_predicate": "from c where c.n = 2"}),
        ("delete", ("2",)),
    ], "a")
    same([r["statusCode"] for r in results], [201, 200, 200, 201, 200, 204])
    same(results[1]["resourceBody"]["n"], 1)
    same(container.read_item("1", "a")["n"], 7)
    same(sorted(all_of(container, "SELECT VALUE c.id FROM c")), ["1", "3"])


@check("all or nothing: a failure undoes all, and says which operation it was")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    try:
        container.execute_item_batch([
            ("create", ({"id": "2", "pk": "a"},)),
            ("create", ({"id": "1", "pk": "a"},)),
            ("delete", ("1",)),
        ], "a")
        holds(False, "no error")
    except CosmosBatchOperationError as err:
        same(err.error_index, 1)
        same([r["statusCode"] for r in err.operation_responses], [424, 409, 424])
    same(all_of(container, "SELECT VALUE c.id FROM c"), ["1"])


@check("all or nothing: an old etag is 412, and what is missing 404")
def _(c):
    container = c.container()
    container.create_item({"id": "1", "pk": "a"})
    for operation, status in (
        (("replace", ("1", {"id": "1", "pk": "a"}), {"if_match_etag": '"old"'}), 412),
        (("delete", ("none",)), 404),
    ):
        try:
            container.execute_item_batch([("upsert", ({"id": "2", "pk": "a"},)), operation], "a")
            holds(False, "no error")
        except CosmosBatchOperationError as err:
            same(err.operation_responses[1]["statusCode"], status)
    with raises(404):
        container.read_item("2", "a")


@check("all or nothing: a hundred operations, not more, of one key")
def _(c):
    container = c.container()
    hundred = [("create", ({"id": f"{n}", "pk": "a"},)) for n in range(100)]
    same(len(container.execute_item_batch(hundred, "a")), 100)
    with raises(400):
        container.execute_item_batch([("upsert", op[1]) for op in hundred] + [("read", ("1",))], "a")
    try:
        container.execute_item_batch([("create", ({"id": "1", "pk": "b"},))], "c")
        holds(False, "no error")
    except CosmosBatchOperationError as err:
        same(err.operation_responses[0]["statusCode"], 400)


@check("all or nothing: a hierarchical key")
def _(c):
    container = c.container(["/a", "/b"])
    results = container.execute_item_batch([("create", ({"id": f"{n}", "a": "x", "b": 1},)) for n in range(3)], ["x", 1])
    same([r["statusCode"] for r in results], [201] * 3)
    same(container.read_item("2", ["x", 1])["id"], "2")


@check("bulk", result="sdk")
def _(c):
    holds(not any("bulk" in name for name in dir(c.container())), "the SDK has bulk now: check it")
