import assert from "node:assert/strict";
import { area, check } from "./runner.mjs";
import { freshContainer, rejects } from "./fixture.mjs";

area("items");

check("create and read", async ({ client }) => {
  const container = await freshContainer(client);
  const { resource } = await container.items.create({ id: "1", pk: "a", n: 1 });
  const read = await container.item("1", "a").read();
  assert.equal(read.resource._etag, resource._etag);
  assert.ok(read.requestCharge > 0);
  assert.ok(read.headers["x-ms-session-token"]);
});

check("a new id", async ({ client }) => {
  const container = await freshContainer(client);
  assert.ok((await container.items.create({ pk: "a" })).resource.id);
});

check("read what is not there", async ({ client }) => {
  const container = await freshContainer(client);
  const read = await container.item("none", "a").read();
  assert.equal(read.statusCode, 404);
  assert.equal(read.resource, undefined);
});

check("create twice is 409", async ({ client }) => {
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

check("replace with an etag", async ({ client }) => {
  const container = await freshContainer(client);
  const { resource, item } = await container.items.create({ id: "1", pk: "a", n: 1 });
  const accessCondition = { type: "IfMatch", condition: resource._etag };
  await item.replace({ id: "1", pk: "a", n: 2 }, { accessCondition });
  await rejects(item.replace({ id: "1", pk: "a", n: 3 }, { accessCondition }), 412);
});

check("read with an etag is 304", async ({ client }) => {
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

check("ids and keys in many alphabets", async ({ client }) => {
  const container = await freshContainer(client);
  for (const id of ["ä ö", "日本", "a+b", "100%", "a'b\"", "🙂"]) {
    await container.items.create({ id, pk: id });
    if (id !== "100%") assert.equal((await container.item(id, id).read()).resource?.id, id, id);
  }
});

for (const [name, key] of [["number", 1.5], ["boolean", true], ["null", null]]) {
  check(`a key that is a ${name}`, async ({ client }) => {
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

check("a hierarchical key", async ({ client }) => {
  const container = await freshContainer(client, {
    partitionKey: { paths: ["/a", "/b"], kind: "MultiHash", version: 2 },
  });
  await container.items.create({ id: "1", a: "x", b: "y" });
  assert.equal((await container.item("1", ["x", "y"]).read()).resource.id, "1");
});

check("a patch with operations and a condition", async ({ client }) => {
  const container = await freshContainer(client);
  const { item } = await container.items.create({ id: "1", pk: "a", n: 1 });
  const { resource } = await item.patch({ condition: "from c where c.n = 1", operations: [{ op: "incr", path: "/n", value: 2 }] });
  assert.equal(resource.n, 3);
  await rejects(item.patch({ condition: "from c where c.n = 1", operations: [{ op: "set", path: "/n", value: 0 }] }), 412);
});

check("a patch that is a bare array", async ({ client }) => {
  const container = await freshContainer(client);
  const { item } = await container.items.create({ id: "1", pk: "a", list: [1] });
  const { resource } = await item.patch([{ op: "add", path: "/list/-", value: 2 }, { op: "set", path: "/m", value: {} }]);
  assert.deepEqual(resource.list, [1, 2]);
});

check("ttl", async ({ client }) => {
  const container = await freshContainer(client, { defaultTtl: -1 });
  await container.items.create({ id: "1", pk: "a", ttl: 1 });
  await new Promise((resolve) => setTimeout(resolve, 2100));
  assert.equal((await container.item("1", "a").read()).statusCode, 404);
});
