import assert from "node:assert/strict";
import { area, check } from "./runner.mjs";
import { all, freshContainer, rejects } from "./fixture.mjs";

area("account");

check("read", async ({ client }) => {
  const { resource } = await client.getDatabaseAccount();
  assert.ok(resource.consistencyPolicy);
});

area("databases");

check("create, read, delete", async ({ client }) => {
  const { resource, database } = await client.databases.create({ id: "javascript-one" });
  assert.equal(resource.id, "javascript-one");
  assert.equal((await database.read()).resource._rid, resource._rid);
  await database.delete();
  await rejects(database.read(), 404);
});

check("create: twice is 409", async ({ client }) => {
  await client.databases.createIfNotExists({ id: "javascript-two" });
  await rejects(client.databases.create({ id: "javascript-two" }), 409);
});

check("create if missing", async ({ client }) => {
  const first = await client.databases.createIfNotExists({ id: "javascript-three" });
  const second = await client.databases.createIfNotExists({ id: "javascript-three" });
  assert.equal(first.resource._rid, second.resource._rid);
});

check("list, query", async ({ client }) => {
  await client.databases.createIfNotExists({ id: "javascript-four" });
  const { resources } = await client.databases.readAll().fetchAll();
  assert.ok(resources.some((d) => d.id === "javascript-four"));
  const found = await client.databases.query({
    query: "SELECT * FROM root r WHERE r.id = @id", parameters: [{ name: "@id", value: "javascript-four" }],
  }).fetchAll();
  assert.equal(found.resources.length, 1);
});

check("throughput: shared by containers", async ({ client }) => {
  const { database } = await client.databases.createIfNotExists({ id: "javascript-shared", throughput: 600 });
  const { resource } = await database.readOffer();
  assert.equal(resource.content.offerThroughput, 600);
  await database.containers.createIfNotExists({ id: "c", partitionKey: { paths: ["/pk"], version: 2 } });
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

check("create if missing", async ({ client }) => {
  const container = await freshContainer(client);
  const again = await container.database.containers.createIfNotExists({ id: container.id, partitionKey: "/pk" });
  assert.equal(again.statusCode, 200);
});

check("list, query", async ({ client }) => {
  const container = await freshContainer(client);
  const { resources } = await container.database.containers.readAll().fetchAll();
  assert.ok(resources.some((c) => c.id === container.id));
  const found = await container.database.containers.query(`SELECT * FROM c WHERE c.id = "${container.id}"`).fetchAll();
  assert.equal(found.resources.length, 1);
});

check("read: the partition key definition", async ({ client }) => {
  const container = await freshContainer(client);
  assert.deepEqual((await container.read()).resource.partitionKey, { paths: ["/pk"], kind: "Hash", version: 2 });
});

check("physical partitions", async ({ client }) => {
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

check("hierarchical keys: three levels", async ({ client }) => {
  const container = await freshContainer(client, { partitionKey: { paths: ["/a", "/b", "/c"], kind: "MultiHash", version: 2 } });
  assert.deepEqual((await container.read()).resource.partitionKey.paths, ["/a", "/b", "/c"]);
});

check("keys of version 1: items and queries over all partitions", async ({ client }) => {
  const { database } = await freshContainer(client);
  const { container } = await database.containers.create({ id: "version1", partitionKey: { paths: ["/pk"] } });
  for (let n = 0; n < 20; n++) await container.items.create({ id: "1", pk: `key ${n}`, n });
  for (let n = 0; n < 20; n++) assert.equal((await container.item("1", `key ${n}`).read()).resource.n, n);
  const { resources } = await container.items.query("SELECT VALUE c.n FROM c ORDER BY c.n").fetchAll();
  assert.deepEqual(resources, Array.from({ length: 20 }, (_, n) => n));
});

check("indexing policy, composite indexes", async ({ client }) => {
  const compositeIndexes = [[{ path: "/a", order: "ascending" }, { path: "/b", order: "descending" }]];
  const container = await freshContainer(client, { indexingPolicy: { excludedPaths: [{ path: "/big/*" }], includedPaths: [{ path: "/*" }], compositeIndexes } });
  const { indexingPolicy } = (await container.read()).resource;
  assert.deepEqual(indexingPolicy.compositeIndexes, compositeIndexes);
  assert.ok(indexingPolicy.excludedPaths.some((p) => p.path === "/big/*"));
});

check("computed properties, replace", async ({ client }) => {
  const computedProperties = [{ name: "lowerName", query: "SELECT VALUE LOWER(c.name) FROM c" }];
  const container = await freshContainer(client, { computedProperties });
  const { resource } = await container.read();
  assert.deepEqual(resource.computedProperties, computedProperties);
  for (const [n, name] of ["Zoe", "Bob", "adam"].entries()) await container.items.create({ id: `${n}`, name });
  assert.deepEqual(await all(container, "SELECT VALUE c.lowerName FROM c WHERE c.lowerName >= 'b'").then((l) => l.sort()), ["bob", "zoe"]);
  assert.deepEqual(await all(container, "SELECT * FROM c").then((l) => l.filter((d) => "lowerName" in d)), []);
  await container.replace({ ...resource, computedProperties: [] });
  assert.deepEqual(await all(container, "SELECT VALUE c.lowerName FROM c"), []);
});

check("spatial indexes, replace", async ({ client }) => {
  const spatialIndexes = [{ path: "/at/*", types: ["Point", "LineString", "Polygon", "MultiPolygon"], boundingBox: { xmin: 0, ymin: -10, xmax: 100, ymax: 10 } }];
  const container = await freshContainer(client, { geospatialConfig: { type: "Geometry" }, indexingPolicy: { spatialIndexes } });
  const { resource } = await container.read();
  assert.deepEqual(resource.geospatialConfig, { type: "Geometry" });
  assert.deepEqual(resource.indexingPolicy.spatialIndexes, spatialIndexes);
  await container.items.create({ id: "1", at: { type: "Point", coordinates: [3, 4] } });
  const distance = "SELECT VALUE ST_DISTANCE(c.at, {type: 'Point', coordinates: [0, 0]}) FROM c";
  assert.deepEqual(await all(container, distance), [5]);
  await container.replace({ ...resource, geospatialConfig: { type: "Geography" }, indexingPolicy: { spatialIndexes: [{ path: "/at/*", types: ["Point"] }] } });
  const [metres] = await all(container, distance);
  assert.ok(metres > 550_000 && metres < 560_000, `${metres} m`);
});

check("time to live, replace", async ({ client }) => {
  const container = await freshContainer(client, { defaultTtl: 100 });
  const { resource } = await container.read();
  assert.equal(resource.defaultTtl, 100);
  delete resource.defaultTtl;
  assert.equal((await container.replace(resource)).resource.defaultTtl, undefined);
});

area("throughput");

check("read, replace", async ({ client }) => {
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

check("replace: not too low, and in steps of 100", async ({ client }) => {
  const container = await freshContainer(client, { throughput: 400 });
  for (const wrong of [100, 450]) {
    const { resource, offer } = await container.readOffer();
    resource.content.offerThroughput = wrong;
    await rejects(offer.replace(resource), 400);
  }
});

check("manual to autoscale, autoscale to manual", async ({ client }) => {
  const container = await freshContainer(client, { throughput: 400 });
  const migrate = async (to) => {
    const { resource, offer } = await container.readOffer();
    await offer.replace(resource, { initialHeaders: { [`x-ms-cosmos-migrate-offer-to-${to}`]: "true" } });
    return (await container.readOffer()).resource.content;
  };
  assert.equal((await migrate("autopilot")).offerAutopilotSettings.maxThroughput, 1000);
  const manual = await migrate("manual-throughput");
  assert.equal(manual.offerThroughput, 1000);
  assert.equal(manual.offerAutopilotSettings, undefined);
});
