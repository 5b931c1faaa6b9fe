// The checks of the SDK for JavaScript against the emulator.
// Run by interop/run.sh, or: COSMOS_CONNECTION_STRING=... node checks.mjs [part of a name]
import { CosmosClient } from "@azure/cosmos";
import { runAll } from "./runner.mjs";
import "./resources.mjs";
import "./items.mjs";
import "./queries.mjs";
import "./ranking.mjs";
import "./bulk.mjs";
import "./feeds.mjs";
import "./moves.mjs";
import "./regions.mjs";
import "./refusals.mjs";
import "./printed.mjs";

const connection = process.env.COSMOS_CONNECTION_STRING;
const [, endpoint, key] = /AccountEndpoint=([^;]+);AccountKey=([^;]+);/.exec(connection);
const client = new CosmosClient(connection);
const passed = await runAll({ client, endpoint, key });
client.dispose();
process.exit(passed ? 0 : 1);
