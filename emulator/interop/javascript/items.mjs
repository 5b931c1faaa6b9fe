import assert from "node:assert/strict";
import { CosmosClient } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { all, freshContainer, rejects } from "./fixture.mjs";

area("items");

check("create, read", async ({ client }) => {
  const container = await freshContainer(client);
  const { resource } = await container.items.create({ id: "1", pk: "a", n: 1 });
  const read = await container.item("1", "a").read();
  assert.equal(read.resource._etag, resource._etag);
  assert.ok(read.requestCharge > 0);
  assert.ok(read.headers["x-ms-session-token"]);
});

check("an id that the SDK makes", async ({ client }) => {
  const container = await freshContainer(client);
  assert.ok((await container.items.create({ pk: "a" })).resource.id);
});

check("read: what is not there", async ({ client }) => {
  const container = await freshContainer(client);
  const read = await container.item("none", "a").read();
  assert.equal(read.statusCode, 404);
  assert.equal(read.resource, undefined);
});

check("create: twice is 409", async ({ client }) => {
  const container = await freshContainer(client);
  await container.items.create({ id: "1", pk: "a" });
  const err = await rejects(container.items.create({ id: "1", pk: "a" }), 409);
  assert.match(err.body.message, /ResourceType: Document, OperationType: Create/);
});

check("upsert", async ({ client }) => {
  const container = await freshContainer(client);
  assert.equal((await container.items.upsert({ id: "1", pk: "a", n: 1 })).statusCode, 201);
  assert.equal((await container.items.upsert({ id: "1", pk: "a", n: 2 })).statusCode, 200);
});

check("replace, if-match", async ({ client }) => {
  const container = await freshContainer(client);
  const { resource, item } = await container.items.create({ id: "1", pk: "a", n: 1 });
  const accessCondition = { type: "IfMatch", condition: resource._etag };
  await item.replace({ id: "1", pk: "a", n: 2 }, { accessCondition });
  await rejects(item.replace({ id: "1", pk: "a", n: 3 }, { accessCondition }), 412);
});

check("if-none-match: 304", async ({ client }) => {
  const container = await freshContainer(client);
  const { resource, item } = await container.items.create({ id: "1", pk: "a" });
  await rejects(item.read({ accessCondition: { type: "IfNoneMatch", condition: resource._etag } }), 304).catch((err) => {
    if (!/but 304/.test(err.message)) throw err;
  });
});

check("delete", async ({ client }) => {
  const container = await freshContainer(client);
  const { item } = await container.items.create({ id: "1", pk: "a" });
  assert.equal((await item.delete()).statusCode, 204);
  await rejects(item.delete(), 404);
});

check("ids in many alphabets, keys that are texts", async ({ client }) => {
  const container = await freshContainer(client);
  for (const id of ["ä ö", "日本", "a+b", "100%", "a'b\"", "🙂"]) {
    await container.items.create({ id, pk: id });
    if (id !== "100%") assert.equal((await container.item(id, id).read()).resource?.id, id, id);
  }
});

for (const [name, key] of [["keys that are numbers", 1.5], ["keys that are booleans", true], ["keys that are null", null]]) {
  check(name, async ({ client }) => {
    const container = await freshContainer(client);
    await container.items.create({ id: "1", pk: key });
    assert.equal((await container.item("1", key).read()).resource.pk, key);
  });
}

check("no key", async ({ client }) => {
  const container = await freshContainer(client);
  await container.items.create({ id: "1" });
  assert.equal((await container.item("1", undefined).read()).resource.id, "1");
});

check("hierarchical keys", async ({ client }) => {
  const container = await freshContainer(client, {
    partitionKey: { paths: ["/a", "/b"], kind: "MultiHash", version: 2 },
  });
  await container.items.create({ id: "1", a: "x", b: "y" });
  assert.equal((await container.item("1", ["x", "y"]).read()).resource.id, "1");
});

check("time to live", async ({ client }) => {
  const container = await freshContainer(client, { defaultTtl: -1 });
  await container.items.create({ id: "1", pk: "a", ttl: 1 });
  await new Promise((resolve) => setTimeout(resolve, 2100));
  assert.equal((await container.item("1", "a").read()).statusCode, 404);
});

check("values in many alphabets, large numbers", async ({ client }) => {
  const container = await freshContainer(client);
  const doc = { id: "1", pk: "a", texts: ["ä ö", "日本", "🙂", "\u0000\u2028", "' OR 1=1 --", "<script>"],
    numbers: [0, -1, 2 ** 53, -(2 ** 53), 1e300, 5e-324, 1.7976931348623157e308, 0.1], "a b": { "": null } };
  await container.items.create(doc);
  const { resource } = await container.item("1", "a").read();
  for (const [name, value] of Object.entries(doc)) assert.deepEqual(resource[name], value);
});

check("links by resource id", async ({ client }) => {
  const container = await freshContainer(client);
  await container.items.create({ id: "1", pk: "a" });
  const database = (await container.database.read()).resource._rid, id = (await container.read()).resource._rid;
  assert.equal((await client.database(database).container(id).item("1", "a").read()).resource.id, "1");
});

check("all of a partition key deleted", async ({ client }) => {
  const container = await freshContainer(client);
  for (let n = 0; n < 30; n++) await container.items.create({ id: `${n}`, pk: `p${n % 3}` });
  assert.equal((await container.deleteAllItemsForPartitionKey("p1")).statusCode, 200);
  await rejects(container.deleteAllItemsForPartitionKey(["p1", "more"]), 400);
  assert.equal((await container.item("1", "p1").read()).statusCode, 404);
  assert.deepEqual((await all(container, "SELECT VALUE c.pk FROM c GROUP BY c.pk")).sort(), ["p0", "p2"]);
  assert.equal((await container.items.create({ id: "1", pk: "p1" })).statusCode, 201);
});

check("all of a partition key deleted, hierarchical keys: a whole key, and no prefix", async ({ client }) => {
  const container = await freshContainer(client, { partitionKey: { paths: ["/a", "/b"], kind: "MultiHash", version: 2 } });
  for (let n = 0; n < 8; n++) await container.items.create({ id: `${n}`, a: "x", b: n % 2 });
  await rejects(container.deleteAllItemsForPartitionKey(["x"]), 400);
  await container.deleteAllItemsForPartitionKey(["x", 1]);
  assert.deepEqual((await all(container, "SELECT VALUE c.b FROM c GROUP BY c.b")), [0]);
});

check("read many: the SDK has no such method", async ({ client }) => {
  const container = await freshContainer(client);
  assert.deepEqual(["readMany", "readItems"].filter((name) => name in container.items || name in container), []);
}, "sdk");

area("patches");

check("operations, condition", async ({ client }) => {
  const container = await freshContainer(client);
  const { item } = await container.items.create({ id: "1", pk: "a", n: 1 });
  const { resource } = await item.patch({ condition: "from c where c.n = 1", operations: [{ op: "incr", path: "/n", value: 2 }] });
  assert.equal(resource.n, 3);
  await rejects(item.patch({ condition: "from c where c.n = 1", operations: [{ op: "set", path: "/n", value: 0 }] }), 412);
});

check("operations: a bare array", async ({ client }) => {
  const container = await freshContainer(client);
  const { item } = await container.items.create({ id: "1", pk: "a", list: [1] });
  const { resource } = await item.patch([{ op: "add", path: "/list/-", value: 2 }, { op: "set", path: "/m", value: {} }]);
  assert.deepEqual(resource.list, [1, 2]);
});

area("sessions");

check("session token: another client reads what was written", async ({ client, endpoint, key }) => {
  const container = await freshContainer(client);
  const { headers } = await container.items.create({ id: "1", pk: "a" });
  const other = new CosmosClient({ endpoint, key });
  const there = other.database(container.database.id).container(container.id).item("1", "a");
  assert.equal((await there.read({ sessionToken: headers["x-ms-session-token"] })).resource.id, "1");
  other.dispose();
});

area("clients");

check("asynchronous, parallel: a hundred writes and reads at once", async ({ client }) => {
  const container = await freshContainer(client);
  const ids = Array.from({ length: 100 }, (_, n) => `${n}`);
  await Promise.all(ids.map((id) => container.items.create({ id, pk: id })));
  const read = await Promise.all(ids.map((id) => container.item(id, id).read()));
  assert.deepEqual(read.map((r) => r.resource.id), ids);
});
