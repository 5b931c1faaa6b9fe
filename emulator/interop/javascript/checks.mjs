// The checks of the SDK for JavaScript against the emulator.
// Run: npm ci && PKGEN=../../../pkgen node checks.mjs [part of a name]
import { Agent } from "node:https";
import { CosmosClient } from "@azure/cosmos";
import { runAll, startEmulator } from "./runner.mjs";
import "./resources.mjs";
import "./items.mjs";
import "./queries.mjs";
import "./bulk.mjs";
import "./feeds.mjs";
import "./refusals.mjs";

const emulator = await startEmulator("-partitions", "4");
let passed = false;
try {
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  const client = new CosmosClient({
    endpoint: emulator.endpoint, key: emulator.key, agent,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  passed = await runAll({ client, endpoint: emulator.endpoint, key: emulator.key, agent });
  client.dispose();
} finally {
  emulator.stop();
}
process.exit(passed ? 0 : 1);
