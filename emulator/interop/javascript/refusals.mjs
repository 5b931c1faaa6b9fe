import assert from "node:assert/strict";
import { CosmosClient } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { freshContainer, rejects } from "./fixture.mjs";

area("refused with 400");

for (const [name, run] of Object.entries({
  "stored procedures": (c) => c.scripts.storedProcedures.create({ id: "s", body: "function () {}" }),
  "triggers": (c) => c.scripts.triggers.create({ id: "t", body: "function () {}", triggerType: "Pre", triggerOperation: "All" }),
  "user-defined functions": (c) => c.scripts.userDefinedFunctions.create({ id: "u", body: "function () {}" }),
  "users": (c) => c.database.users.create({ id: "u" }),
  "permissions": (c) => c.database.user("u").permissions.readAll().fetchAll(),
  "conflicts": (c) => c.conflicts.readAll().fetchAll(),
})) {
  check(name, async ({ client }) => {
    const err = await rejects(run(await freshContainer(client)), 400);
    assert.match(err.body.message, new RegExp(`does not support ${name}`));
  }, "refused");
}

check("stored procedures: to execute", async ({ client }) => {
  const container = await freshContainer(client);
  await rejects(container.scripts.storedProcedure("s").execute("a", []), 400);
}, "refused");

area("errors");

check("401: a wrong key", async ({ endpoint }) => {
  const other = new CosmosClient({ endpoint, key: Buffer.from("wrong").toString("base64") });
  await rejects(other.database("none").read(), 401);
  other.dispose();
});

check("404: an item of a missing container", async ({ client }) => {
  const { database } = await freshContainer(client);
  const err = await rejects(database.container("none").items.create({ id: "1", pk: "a" }), 404);
  assert.match(err.body.message, /ResourceType: Collection/);
});

check("413: a document of 2 MB", async ({ client }) => {
  const container = await freshContainer(client);
  await rejects(container.items.create({ id: "1", pk: "a", text: "x".repeat(2 << 20) }), 413);
});

check("400: a text that is no query", async ({ client }) => {
  const container = await freshContainer(client);
  await rejects(container.items.query("SELECT FROM WHERE", { partitionKey: "a" }).fetchAll(), 400);
});

check("409: an item that is there", async ({ client }) => {
  const container = await freshContainer(client);
  await container.items.create({ id: "1", pk: "a" });
  await rejects(container.items.create({ id: "1", pk: "a" }), 409);
});

check("412: an etag of before", async ({ client }) => {
  const { item } = await (await freshContainer(client)).items.create({ id: "1", pk: "a" });
  await rejects(item.delete({ accessCondition: { type: "IfMatch", condition: '"no"' } }), 412);
});

check("429: the SDK waits and repeats", async () => {
  const client = new CosmosClient(process.env.COSMOS_THROTTLED_CONNECTION_STRING);
  const container = await freshContainer(client);
  let retries = 0;
  for (let n = 0; n < 20; n++) { // about 50 RU each, of 400 RU/s
    const { headers, statusCode } = await container.items.upsert({ id: `${n}`, pk: "a", text: "x".repeat(100_000) });
    assert.equal(statusCode, 201);
    retries += Number(headers["x-ms-throttle-retry-count"] ?? 0);
  }
  client.dispose();
  assert.ok(retries > 0);
});

check("429: the error when the SDK gives up", async () => {
  const connectionPolicy = { retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 } };
  const [, endpoint, key] = /AccountEndpoint=([^;]+);AccountKey=([^;]+);/.exec(process.env.COSMOS_THROTTLED_CONNECTION_STRING);
  const client = new CosmosClient({ endpoint, key, connectionPolicy });
  const container = await freshContainer(client);
  await assert.rejects(async () => {
    for (let n = 0; n < 60; n++) await container.items.upsert({ id: `${n}`, pk: "a", text: "x".repeat(100_000) });
  }, (err) => err.code === 429 && err.substatus === 3200);
  client.dispose();
});

area("clients");

check("over plain HTTP", async () => {
  const client = new CosmosClient(process.env.COSMOS_THROTTLED_CONNECTION_STRING);
  const container = await freshContainer(client);
  assert.match(process.env.COSMOS_THROTTLED_CONNECTION_STRING, /=http:/);
  assert.equal((await container.items.create({ id: "1", pk: "a" })).statusCode, 201);
  client.dispose();
});
