import assert from "node:assert/strict";
import { ChangeFeedMode, ChangeFeedStartFrom, CosmosClient } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { freshContainer } from "./fixture.mjs";

area("change feed");

// drain reads an iterator until it has nothing new, and returns the changes and the
// token to go on.
async function drain(iterator) {
  const docs = [];
  let token, quiet = 0;
  while (iterator.hasMoreResults && quiet < 1) {
    const page = await iterator.readNext();
    token = page.continuationToken;
    if (page.statusCode === 304) quiet++;
    else docs.push(...page.result);
  }
  return { docs, token };
}

const fill = async (container, from, to) => {
  for (let n = from; n < to; n++) await container.items.create({ id: `${n}`, pk: `p${n % 7}`, n });
};

check("beginning, continuation", async ({ client }) => {
  const container = await freshContainer(client);
  await fill(container, 0, 20);
  const first = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 3 }));
  assert.equal(first.docs.length, 20);
  await fill(container, 20, 25);
  const second = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Continuation(first.token) }));
  assert.deepEqual(second.docs.map((d) => d.n).sort((a, b) => a - b), [20, 21, 22, 23, 24]);
});

check("partition key", async ({ client }) => {
  const container = await freshContainer(client);
  await fill(container, 0, 21);
  const { docs } = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning("p3") }));
  assert.deepEqual(docs.map((d) => d.n), [3, 10, 17]);
});

check("feed range", async ({ client }) => {
  const container = await freshContainer(client);
  await fill(container, 0, 21);
  let count = 0;
  for (const range of await container.getFeedRanges()) {
    const { docs } = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(range) }));
    count += docs.length;
  }
  assert.equal(count, 21);
});

check("now, continuation", async ({ client }) => {
  const container = await freshContainer(client);
  await fill(container, 0, 5);
  const { docs, token } = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now() }));
  assert.equal(docs.length, 0);
  await fill(container, 5, 8);
  const later = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Continuation(token) }));
  assert.equal(later.docs.length, 3);
});

check("partition key, beginning: the older iterator", async ({ client }) => {
  const container = await freshContainer(client);
  await fill(container, 0, 14);
  const iterator = container.items.changeFeed("p1", { startFromBeginning: true });
  const docs = [];
  while (iterator.hasMoreResults) {
    const { result } = await iterator.fetchNext();
    if (result) docs.push(...result);
  }
  assert.equal(docs.length, 2);
});

check("time", async ({ client }) => {
  const container = await freshContainer(client);
  await fill(container, 0, 4);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const since = new Date();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await fill(container, 4, 8);
  const { docs } = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Time(since) }));
  assert.deepEqual(docs.map((d) => d.n).sort(), [4, 5, 6, 7]);
});

check("prefix of a hierarchical key", async ({ client }) => {
  const container = await freshContainer(client, { partitionKey: { paths: ["/a", "/b"], kind: "MultiHash", version: 2 } });
  for (let n = 0; n < 12; n++) await container.items.create({ id: `${n}`, a: `a${n % 3}`, b: `b${n % 4}`, n });
  const { docs } = await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(["a1"]) }));
  assert.deepEqual(docs.map((d) => d.n).toSorted((a, b) => a - b), [1, 4, 7, 10]);
});

check("all versions: creations, replacements and deletions from now on", async () => {
  const client = new CosmosClient(process.env.COSMOS_VERSIONS_CONNECTION_STRING);
  const container = await freshContainer(client);
  const options = { changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes };
  const first = await drain(container.items.getChangeFeedIterator({ ...options, changeFeedStartFrom: ChangeFeedStartFrom.Now() }));
  for (const n of [0, 1]) await container.items.upsert({ id: "1", pk: "a", n });
  await container.item("1", "a").delete();
  const { docs } = await drain(container.items.getChangeFeedIterator({ ...options, changeFeedStartFrom: ChangeFeedStartFrom.Continuation(first.token) }));
  assert.deepEqual(docs.map((d) => d.metadata.operationType), ["create", "replace", "delete"]);
  assert.deepEqual(docs.map((d) => d.current?.n), [0, 1, undefined]);
  client.dispose();
});
