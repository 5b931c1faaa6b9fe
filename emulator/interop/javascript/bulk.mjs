import assert from "node:assert/strict";
import { area, check } from "./runner.mjs";
import { all, freshContainer } from "./fixture.mjs";

area("batches");

check("all or nothing", async ({ client }) => {
  const container = await freshContainer(client);
  const { code, result } = await container.items.batch([
    { operationType: "Create", resourceBody: { id: "1", pk: "a" } },
    { operationType: "Upsert", resourceBody: { id: "2", pk: "a" } },
    { operationType: "Patch", id: "1", resourceBody: { operations: [{ op: "add", path: "/n", value: 1 }] } },
    { operationType: "Read", id: "1" },
    { operationType: "Delete", id: "2" },
  ], "a");
  assert.equal(code, 200);
  assert.deepEqual(result.map((r) => r.statusCode), [201, 201, 200, 200, 204]);
});

check("all or nothing: a failure leaves nothing", async ({ client }) => {
  const container = await freshContainer(client);
  const { code, result } = await container.items.batch([
    { operationType: "Create", resourceBody: { id: "1", pk: "a" } },
    { operationType: "Delete", id: "none" },
  ], "a");
  assert.equal(code, 207);
  assert.deepEqual(result.map((r) => r.statusCode), [424, 404]);
  assert.equal((await all(container, "SELECT * FROM c")).length, 0);
});

check("all or nothing: without bodies in the answer", async ({ client }) => {
  const container = await freshContainer(client);
  const { result } = await container.items.batch(
    [{ operationType: "Create", resourceBody: { id: "1", pk: "a" } }], "a", { contentResponseOnWriteEnabled: false });
  assert.equal(result[0].statusCode, 201);
  assert.equal(result[0].resourceBody, undefined);
});

check("bulk: executeBulkOperations", async ({ client }) => {
  const container = await freshContainer(client);
  const operations = Array.from({ length: 300 }, (_, n) => ({
    operationType: "Create", partitionKey: `p${n % 30}`, resourceBody: { id: `${n}`, pk: `p${n % 30}`, n },
  }));
  const results = await container.items.executeBulkOperations(operations);
  assert.ok(results.every((r) => r.response?.statusCode === 201), JSON.stringify(results.find((r) => r.response?.statusCode !== 201)));
  assert.deepEqual(await all(container, "SELECT VALUE COUNT(1) FROM c"), [300]);
});

check("bulk: operations of all kinds with statuses of their own", async ({ client }) => {
  const container = await freshContainer(client);
  await container.items.create({ id: "1", pk: "a", n: 1 });
  const results = await container.items.executeBulkOperations([
    { operationType: "Create", partitionKey: "a", resourceBody: { id: "1", pk: "a" } },
    { operationType: "Upsert", partitionKey: "b", resourceBody: { id: "2", pk: "b" } },
    { operationType: "Read", id: "1", partitionKey: "a" },
    { operationType: "Delete", id: "none", partitionKey: "c" },
    { operationType: "Patch", id: "1", partitionKey: "a", resourceBody: { operations: [{ op: "incr", path: "/n", value: 1 }] } },
  ]);
  assert.deepEqual(results.map((r) => r.response?.statusCode ?? r.error?.code), [409, 201, 200, 404, 200]);
});

check("bulk: the older method", async ({ client }) => {
  const container = await freshContainer(client);
  const results = await container.items.bulk([
    { operationType: "Create", partitionKey: "a", resourceBody: { id: "1", pk: "a" } },
    { operationType: "Create", partitionKey: "a", resourceBody: { id: "1", pk: "a" } },
    { operationType: "Upsert", partitionKey: "b", resourceBody: { id: "2", pk: "b" } },
    { operationType: "Read", id: "2", partitionKey: "b" },
  ]);
  assert.deepEqual(results.map((r) => r.statusCode), [201, 409, 201, 200]);
});

check("bulk: the older method stops at a failure when it is told so", async ({ client }) => {
  const container = await freshContainer(client);
  const results = await container.items.bulk([
    { operationType: "Delete", id: "none", partitionKey: "a" },
    { operationType: "Create", partitionKey: "a", resourceBody: { id: "1", pk: "a" } },
  ], { continueOnError: false });
  assert.deepEqual(results.map((r) => r.statusCode), [404, 424]);
});
