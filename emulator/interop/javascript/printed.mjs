// The key functions that pkgen keys prints: documents that Go writes are read by them, and
// documents are written that Go reads.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { area, check } from "./runner.mjs";

area("printed key functions");

// samples returns containers, the documents of a writer, and their partition keys.
async function samples(writer) {
  const module = (name) => import(pathToFileURL(join(process.env.INTEROP_KEYS, name)));
  const { measurementPartitionKey } = await module("measurement_key.mjs");
  const { visitPartitionKey } = await module("visit_key.mjs");
  const { measurements, visits } = JSON.parse(readFileSync(process.env.INTEROP_SAMPLES, "utf8"));
  return [
    ...measurements.map((d) => {
      const key = measurementPartitionKey(d.site, new Date(d.at), d.meter, d.label, d.urgent, d.serial);
      return ["measurement", { ...d, id: `${writer}-${d.id}`, partitionKey: key }, key];
    }),
    ...visits.map((d) => {
      const key = visitPartitionKey(d.tenant, d.user, new Date(d.at));
      return ["visit", { ...d, id: `${writer}-${d.id}`, partitionKey: key[2] }, key];
    }),
  ];
}

check("the SDK reads what Go wrote", async ({ client }) => {
  const given = await samples("go");
  assert.ok(given.length > 10);
  for (const [container, want, key] of given) {
    const { resource } = await client.database("keys").container(container).item(want.id, key).read();
    assert.ok(resource, want.id);
    for (const [name, value] of Object.entries(want)) {
      if (name === "at") assert.equal(Date.parse(resource.at), Date.parse(value), want.id);
      else assert.deepEqual(resource[name], value, want.id);
    }
  }
});

check("Go reads what the SDK wrote: the writes, before Go reads them", async ({ client }) => {
  for (const [container, doc] of await samples("javascript")) {
    await client.database("keys").container(container).items.upsert(doc);
  }
});
