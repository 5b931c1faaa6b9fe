import assert from "node:assert/strict";
import { ChangeFeedStartFrom } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { all, freshContainer } from "./fixture.mjs";

area("partitions move");

const numbers = Array.from({ length: 60 }, (_, n) => n);

// filled makes a container of 60 documents over 7 keys.
async function filled(client) {
  const container = await freshContainer(client, { throughput: 10_000 });
  for (const n of numbers) await container.items.create({ id: `${n}`, pk: `p${n % 7}`, n });
  return container;
}

// split raises the throughput of a container so far that its four physical partitions
// split.
async function split(container) {
  const { resource, offer } = await container.readOffer();
  resource.content.offerThroughput = 50_000;
  await offer.replace(resource);
}

const inOrder = (list) => list.toSorted((a, b) => a - b);

check("split: reads, writes and queries go on", async ({ client }) => {
  const container = await filled(client);
  assert.equal((await all(container, "SELECT * FROM c")).length, 60);
  await split(container);
  for (const n of numbers) assert.equal((await container.item(`${n}`, `p${n % 7}`).read()).resource.n, n);
  await container.items.create({ id: "60", pk: "p4", n: 60 });
  assert.deepEqual(await all(container, "SELECT VALUE c.n FROM c ORDER BY c.n"), [...numbers, 60]);
  assert.ok((await container.getFeedRanges()).length > 4);
});

// A query over all partitions that a split interrupts does not end in this SDK: it asks the
// partition that is gone again and again.
check("split: a continuation of one partition key", async ({ client }) => {
  const container = await filled(client);
  const query = "SELECT VALUE c.n FROM c", options = { partitionKey: "p3", maxItemCount: 4 };
  const first = await container.items.query(query, options).fetchNext();
  await split(container);
  const rest = await all(container, query, { ...options, continuationToken: first.continuationToken });
  assert.deepEqual(inOrder([...first.resources, ...rest]), numbers.filter((n) => n % 7 === 3));
});

// follow reads the change feed of a filled container, moves its partitions after three pages,
// and asserts that every change comes once.
async function follow(container, move) {
  const iterator = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 4 });
  const got = [];
  let pages = 0, quiet = 0;
  while (quiet < 2) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) quiet++;
    else got.push(...page.result.map((d) => d.n));
    if (++pages === 3) await move();
    assert.ok(pages < 200);
  }
  assert.deepEqual(inOrder(got), numbers);
}

check("split: the change feed goes on, every change once", async ({ client }) => {
  const container = await filled(client);
  await follow(container, () => split(container));
});

// merge merges physical partitions, by the explorer of the emulator.
async function merge(endpoint, container, ...ranges) {
  const url = new URL("/_explorer/", endpoint);
  const [, token] = /explorer-token" content="([^"]*)"/.exec(await (await fetch(url)).text());
  const body = JSON.stringify({ db: container.database.id, c: container.id, ranges });
  const answer = await fetch(new URL("api/merge", url), { method: "POST", body, headers: { "X-Explorer-Token": token } });
  assert.equal(answer.status, 200, await answer.text());
}

check("merge: reads, writes and queries go on", async ({ client, endpoint }) => {
  const container = await filled(client);
  assert.equal((await all(container, "SELECT * FROM c ORDER BY c.n")).length, 60);
  await merge(endpoint, container, "1", "2");
  for (const n of numbers) assert.equal((await container.item(`${n}`, `p${n % 7}`).read()).resource.n, n);
  await container.items.create({ id: "60", pk: "p4", n: 60 });
  assert.deepEqual(inOrder(await all(container, "SELECT VALUE c.n FROM c", { partitionKey: "p4" })), numbers.filter((n) => n % 7 === 4).concat(60));
});

check("merge: the change feed goes on, every change once", async ({ client, endpoint }) => {
  const container = await filled(client);
  await follow(container, () => merge(endpoint, container, "0", "1", "2"));
});
