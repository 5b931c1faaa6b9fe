import assert from "node:assert/strict";
import { CosmosClient } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { freshContainer, rejects } from "./fixture.mjs";

area("what is not there is 400");

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
  });
}

check("executing a stored procedure", async ({ client }) => {
  const container = await freshContainer(client);
  await rejects(container.scripts.storedProcedure("s").execute("a", []), 400);
});

area("errors");

check("a wrong key is 401", async ({ endpoint, agent }) => {
  const other = new CosmosClient({ endpoint, agent, key: Buffer.from("wrong").toString("base64"), connectionPolicy: { enableEndpointDiscovery: false } });
  await rejects(other.database("interop").read(), 401);
  other.dispose();
});

check("an item of a missing container is 404", async ({ client }) => {
  const err = await rejects(client.database("interop").container("none").items.create({ id: "1", pk: "a" }), 404);
  assert.match(err.body.message, /ResourceType: Collection/);
});

check("a document of 2 MB is 413", async ({ client }) => {
  const container = await freshContainer(client);
  await rejects(container.items.create({ id: "1", pk: "a", text: "x".repeat(2 << 20) }), 413);
});

check("an id with a slash is 400", async ({ client }) => {
  const container = await freshContainer(client);
  await assert.rejects(container.items.create({ id: "a/b", pk: "a" }));
});
