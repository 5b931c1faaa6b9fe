import assert from "node:assert/strict";
import { CosmosClient } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { freshContainer, rejects } from "./fixture.mjs";

area("regions");

const west = "West Europe", north = "North Europe";

// explorer calls the explorer of the emulator.
async function explorer(endpoint, method, path, body) {
  const url = new URL("/_explorer/", endpoint);
  const [, token] = /explorer-token" content="([^"]*)"/.exec(await (await fetch(url)).text());
  const answer = await fetch(new URL("api/" + path, url), { method, body: body && JSON.stringify(body), headers: { "X-Explorer-Token": token } });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

// parts returns the address and the key of a connection string.
const parts = (connection) => /AccountEndpoint=([^;]+);AccountKey=([^;]+);/.exec(connection).slice(1);

// connect returns a client that prefers some regions.
function connect(preferred, policy, connection) {
  const [endpoint, key] = parts(connection);
  return new CosmosClient({ endpoint, key, connectionPolicy: { preferredLocations: preferred, ...policy } });
}

// regions runs a check in an account with two regions, with a client that prefers some.
async function regions(preferred, run, policy = {}, connection = process.env.COSMOS_REGIONS_CONNECTION_STRING) {
  const [endpoint] = parts(connection);
  const client = connect(preferred, policy, connection);
  const call = (method, path, body) => explorer(endpoint, method, path, body);
  try {
    await run(await freshContainer(client), call, client);
  } finally {
    for (const { id } of (await call("GET", "account")).faults) await call("DELETE", `faults?id=${id}`);
    for (const name of [west, north]) await call("POST", "regions", { name, online: true });
    await call("POST", "regions", { name: west, failover: "planned" });
    client.dispose();
  }
}

const change = (call, body) => call("POST", "regions", body);

// The SDK reads from another region if a name is not found, or after its timeout of a minute,
// and not if a region refuses connections.
check("reads go on while a region is offline", () => regions([north, west], async (container, call) => {
  await container.items.create({ id: "1", pk: "a" });
  assert.equal((await container.item("1", "a").read()).resource.id, "1");
  await change(call, { name: north, online: false });
  await rejects(container.item("1", "a").read(), "ECONNREFUSED");
}), "sdk");

check("preferred regions, reads go on while a region answers 503", () => regions([north, west], async (container, call, client) => {
  await container.items.create({ id: "1", pk: "a" });
  assert.equal((await container.item("1", "a").read()).resource.id, "1");
  assert.notEqual(await client.getReadEndpoint(), await client.getWriteEndpoint());
  await call("POST", "faults", { status: 503, region: north });
  for (let n = 0; n < 2; n++) assert.equal((await container.item("1", "a").read()).resource.id, "1");
  assert.equal((await container.items.query("SELECT * FROM c", { partitionKey: "a" }).fetchAll()).resources.length, 1);
}));

check("writes follow a planned failover", () => regions([west, north], async (container, call, client) => {
  await container.items.create({ id: "1", pk: "a" });
  const before = await client.getWriteEndpoint();
  await change(call, { name: north, failover: "planned" });
  assert.equal((await container.items.create({ id: "2", pk: "a" })).statusCode, 201);
  assert.notEqual(await client.getWriteEndpoint(), before);
  assert.equal((await container.item("2", "a").read()).resource.id, "2");
}));

// The SDK finds the new write region when it next reads the account.
check("writes follow a forced failover", () => regions([west, north], async (container, call) => {
  await container.items.create({ id: "1", pk: "a" });
  await change(call, { name: north, failover: "forced" });
  let answer;
  for (let n = 0; !answer; n++) {
    answer = await container.items.create({ id: "2", pk: "a" }).catch((err) => { if (n > 100) throw err; });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal(answer.statusCode, 201);
  assert.equal((await container.item("1", "a").read()).resource.id, "1");
}, { endpointRefreshRateInMs: 500 }));

// Another client makes the container: this one would send that to the region that it prefers,
// too, which refuses it, and would then write elsewhere.
check("several write regions", () => regions([west, north], async (container, call, client) => {
  const near = connect([north, west], {}, process.env.COSMOS_WRITE_REGIONS_CONNECTION_STRING);
  try {
    const items = near.database(container.database.id).container(container.id);
    assert.equal((await items.items.create({ id: "1", pk: "a" })).statusCode, 201);
    assert.equal(await near.getWriteEndpoint(), await near.getReadEndpoint());
    assert.notEqual(await near.getWriteEndpoint(), await client.getWriteEndpoint());
    await call("POST", "faults", { status: 503, region: north });
    assert.equal((await items.items.create({ id: "2", pk: "a" })).statusCode, 201);
    assert.equal((await items.item("2", "a").read()).resource.id, "2");
  } finally {
    near.dispose();
  }
}, {}, process.env.COSMOS_WRITE_REGIONS_CONNECTION_STRING));
