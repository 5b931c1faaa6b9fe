import assert from "node:assert/strict";
import { CosmosClient } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { freshContainer } from "./fixture.mjs";

area("regions");

const west = "West Europe", north = "North Europe";

// change changes a region, by the explorer of the emulator.
async function change(endpoint, body) {
  const url = new URL("/_explorer/", endpoint);
  const [, token] = /explorer-token" content="([^"]*)"/.exec(await (await fetch(url)).text());
  const answer = await fetch(new URL("api/regions", url), { method: "POST", body: JSON.stringify(body), headers: { "X-Explorer-Token": token } });
  assert.equal(answer.status, 200, await answer.text());
}

// regions runs a check in an account with two regions, with a client that prefers some.
async function regions(preferred, run) {
  const [, endpoint, key] = /AccountEndpoint=([^;]+);AccountKey=([^;]+);/.exec(process.env.COSMOS_REGIONS_CONNECTION_STRING);
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { preferredLocations: preferred } });
  try {
    await run(await freshContainer(client), (body) => change(endpoint, body), client);
  } finally {
    for (const name of [west, north]) await change(endpoint, { name, online: true });
    await change(endpoint, { name: west, failover: "planned" });
    client.dispose();
  }
}

check("reads go on in another region", () => regions([north, west], async (container, set, client) => {
  const { headers } = await container.items.create({ id: "1", pk: "a" });
  assert.ok(headers["x-ms-session-token"]);
  assert.equal((await container.item("1", "a").read()).resource.id, "1");
  assert.notEqual(await client.getReadEndpoint(), await client.getWriteEndpoint());
  await set({ name: north, online: false });
  for (let n = 0; n < 2; n++) assert.equal((await container.item("1", "a").read()).resource.id, "1");
  assert.equal((await container.items.query("SELECT * FROM c", { partitionKey: "a" }).fetchAll()).resources.length, 1);
}));

check("writes follow a planned failover", () => regions([west, north], async (container, set, client) => {
  await container.items.create({ id: "1", pk: "a" });
  const before = await client.getWriteEndpoint();
  await set({ name: north, failover: "planned" });
  assert.equal((await container.items.create({ id: "2", pk: "a" })).statusCode, 201);
  assert.notEqual(await client.getWriteEndpoint(), before);
  assert.equal((await container.item("2", "a").read()).resource.id, "2");
}));

check("writes follow a forced failover", () => regions([west, north], async (container, set) => {
  await container.items.create({ id: "1", pk: "a" });
  await set({ name: north, failover: "forced" });
  assert.equal((await container.items.create({ id: "2", pk: "a" })).statusCode, 201);
  assert.equal((await container.item("1", "a").read()).resource.id, "1");
}));
