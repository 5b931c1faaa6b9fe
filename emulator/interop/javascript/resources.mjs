import assert from "node:assert/strict";
import { area, check } from "./runner.mjs";
import { freshContainer, rejects } from "./fixture.mjs";

area("databases");

check("account", async ({ client }) => {
  const { resource } = await client.getDatabaseAccount();
  assert.ok(resource.consistencyPolicy);
});

check("create, read, delete", async ({ client }) => {
  const { resource, database } = await client.databases.create({ id: "one" });
  assert.equal(resource.id, "one");
  assert.equal((await database.read()).resource._rid, resource._rid);
  await database.delete();
  await rejects(database.read(), 404);
});

check("create twice is 409", async ({ client }) => {
  await client.databases.createIfNotExists({ id: "two" });
  await rejects(client.databases.create({ id: "two" }), 409);
});

check("createIfNotExists", async ({ client }) => {
  const first = await client.databases.createIfNotExists({ id: "three" });
  const second = await client.databases.createIfNotExists({ id: "three" });
  assert.equal(first.resource._rid, second.resource._rid);
});

check("list and query", async ({ client }) => {
  await client.databases.createIfNotExists({ id: "four" });
  const { resources } = await client.databases.readAll().fetchAll();
  assert.ok(resources.some((d) => d.id === "four"));
  const found = await client.databases.query({
    query: "SELECT * FROM root r WHERE r.id = @id", parameters: [{ name: "@id", value: "four" }],
  }).fetchAll();
  assert.equal(found.resources.length, 1);
});

area("containers");

check("create, read, replace, delete", async ({ client }) => {
  const container = await freshContainer(client);
  const { resource } = await container.read();
  resource.defaultTtl = 60;
  assert.equal((await container.replace(resource)).resource.defaultTtl, 60);
  await container.delete();
  await rejects(container.read(), 404);
});

check("createIfNotExists", async ({ client }) => {
  const container = await freshContainer(client);
  const again = await container.database.containers.createIfNotExists({ id: container.id, partitionKey: "/pk" });
  assert.equal(again.statusCode, 200);
});

check("list and query", async ({ client }) => {
  const container = await freshContainer(client);
  const { resources } = await container.database.containers.readAll().fetchAll();
  assert.ok(resources.some((c) => c.id === container.id));
  const found = await container.database.containers.query(`SELECT * FROM c WHERE c.id = "${container.id}"`).fetchAll();
  assert.equal(found.resources.length, 1);
});

check("partition key definition", async ({ client }) => {
  const container = await freshContainer(client);
  assert.deepEqual((await container.read()).resource.partitionKey, { paths: ["/pk"], kind: "Hash", version: 2 });
});

check("partition key ranges", async ({ client }) => {
  const container = await freshContainer(client);
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  assert.equal(resources.length, 4);
});

check("feed ranges", async ({ client }) => {
  const container = await freshContainer(client);
  assert.equal((await container.getFeedRanges()).length, 4);
});

check("unique keys", async ({ client }) => {
  const container = await freshContainer(client, { uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/mail"] }] } });
  await container.items.create({ id: "1", pk: "a", mail: "x" });
  await rejects(container.items.create({ id: "2", pk: "a", mail: "x" }), 409);
});

area("throughput");

check("read and replace", async ({ client }) => {
  const container = await freshContainer(client, { throughput: 400 });
  const { resource, offer } = await container.readOffer();
  assert.equal(resource.content.offerThroughput, 400);
  assert.equal(resource.content.offerMinimumThroughputParameters.maxThroughputEverProvisioned, 400);
  resource.content.offerThroughput = 800;
  assert.equal((await offer.replace(resource)).resource.content.offerThroughput, 800);
});

check("autoscale", async ({ client }) => {
  const container = await freshContainer(client, { maxThroughput: 2000 });
  const { resource } = await container.readOffer();
  assert.equal(resource.content.offerAutopilotSettings.maxThroughput, 2000);
});

check("list", async ({ client }) => {
  await freshContainer(client, { throughput: 500 });
  const { resources } = await client.offers.readAll().fetchAll();
  assert.ok(resources.length > 0);
});
