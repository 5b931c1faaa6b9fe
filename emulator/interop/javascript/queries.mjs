import assert from "node:assert/strict";
import { area, check } from "./runner.mjs";
import { all, freshContainer, people, rejects } from "./fixture.mjs";

area("queries");

const numbers = Array.from({ length: 60 }, (_, n) => n);
const ages = numbers.filter((n) => n % 10).map((n) => (n * 7) % 50);
const sum = (list) => list.reduce((a, b) => a + b, 0);

// rows adds a check of the rows of a query in their order.
function rows(name, query, want, options) {
  check(name, async ({ client }) => assert.deepEqual(await all(await people(client), query, options), want));
}

// bag adds a check of the rows of a query in any order.
function bag(name, query, want) {
  const sorted = (list) => list.map((v) => JSON.stringify(v)).sort();
  check(name, async ({ client }) => assert.deepEqual(sorted(await all(await people(client), query)), sorted(want)));
}

check("all partitions", async ({ client }) => assert.equal((await all(await people(client), "SELECT * FROM c")).length, 60));
bag("filter, parameters", { query: "SELECT VALUE c.n FROM c WHERE c.n < @n", parameters: [{ name: "@n", value: 4 }] }, [0, 1, 2, 3]);
rows("ORDER BY", "SELECT VALUE c.n FROM c ORDER BY c.n", numbers);
rows("ORDER BY DESC", "SELECT VALUE c.n FROM c ORDER BY c.n DESC", numbers.toReversed());
rows("ORDER BY, filter", "SELECT VALUE c.n FROM c WHERE c.n > 10 OR c.n = 2 ORDER BY c.n", numbers.filter((n) => n > 10 || n === 2));
rows("ORDER BY, projection", "SELECT c.n, c.n + 1 AS m FROM c WHERE c.n < 3 ORDER BY c.n", [{ n: 0, m: 1 }, { n: 1, m: 2 }, { n: 2, m: 3 }]);
check("ORDER BY: whole documents", async ({ client }) => {
  const docs = await all(await people(client), "SELECT * FROM c ORDER BY c.n");
  assert.deepEqual(docs.map((d) => d.n), numbers);
});
rows("ORDER BY: a property that some documents lack", "SELECT VALUE c.age FROM c WHERE IS_DEFINED(c.age) ORDER BY c.age", ages.toSorted((a, b) => a - b));
check("ORDER BY: the SDK refuses mixed types", async ({ client }) =>
  assert.rejects(people(client).then((c) => all(c, "SELECT c.age FROM c ORDER BY c.age")), /mixed types/));
rows("ORDER BY several", "SELECT VALUE c.n FROM c ORDER BY c.team ASC, c.n DESC",
  [0, 1, 2, 3].flatMap((t) => numbers.filter((n) => n % 4 === t).toReversed()));
rows("ORDER BY, JOIN", "SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.n < 2 ORDER BY c.n", [0, 0, 1, 1]);
rows("TOP", "SELECT TOP 5 VALUE c.n FROM c ORDER BY c.n", [0, 1, 2, 3, 4]);
check("TOP: without ORDER BY", async ({ client }) => assert.equal((await all(await people(client), "SELECT TOP 7 * FROM c")).length, 7));
rows("TOP, parameters", { query: "SELECT TOP @n VALUE c.n FROM c ORDER BY c.n", parameters: [{ name: "@n", value: 2 }] }, [0, 1]);
rows("OFFSET LIMIT", "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 10 LIMIT 3", [10, 11, 12]);
check("OFFSET LIMIT: without ORDER BY", async ({ client }) =>
  assert.equal((await all(await people(client), "SELECT * FROM c OFFSET 55 LIMIT 10")).length, 5));
rows("COUNT", "SELECT VALUE COUNT(1) FROM c", [60]);
rows("COUNT: of a property", "SELECT VALUE COUNT(c.age) FROM c", [ages.length]);
rows("SUM", "SELECT VALUE SUM(c.n) FROM c", [sum(numbers)]);
rows("AVG", "SELECT VALUE AVG(c.n) FROM c", [sum(numbers) / 60]);
rows("MIN", "SELECT VALUE MIN(c.age) FROM c", [Math.min(...ages)]);
rows("MAX", "SELECT VALUE MAX(c.age) FROM c", [Math.max(...ages)]);
rows("MIN: of an expression", "SELECT VALUE MIN(c.n + 1) FROM c", [1]);
rows("COUNT, filter", "SELECT VALUE COUNT(1) FROM c WHERE c.team = 'a'", [15]);
rows("COUNT: without VALUE", "SELECT COUNT(1) AS count FROM c", [{ count: 60 }]);
rows("COUNT, MAX, AVG: in one query", "SELECT COUNT(1) AS count, MAX(c.n) AS most, AVG(c.n) AS mean FROM c", [{ count: 60, most: 59, mean: sum(numbers) / 60 }]);
bag("GROUP BY", "SELECT c.team, COUNT(1) AS count, SUM(c.n) AS total FROM c GROUP BY c.team",
  [0, 1, 2, 3].map((t) => ({ team: "abcd"[t], count: 15, total: sum(numbers.filter((n) => n % 4 === t)) })));
bag("GROUP BY: without aggregates", "SELECT c.team FROM c GROUP BY c.team", [..."abcd"].map((team) => ({ team })));
bag("GROUP BY, AVG, MIN, MAX", "SELECT c.team, AVG(c.n) AS mean, MIN(c.n) AS least, MAX(c.n) AS most FROM c GROUP BY c.team",
  [0, 1, 2, 3].map((t) => ({ team: "abcd"[t], mean: 28 + t, least: t, most: 56 + t })));
bag("GROUP BY: an expression", "SELECT UPPER(c.team) AS team, COUNT(1) AS count FROM c GROUP BY UPPER(c.team)", [..."ABCD"].map((team) => ({ team, count: 15 })));
bag("GROUP BY: with VALUE", "SELECT VALUE COUNT(1) FROM c GROUP BY c.team", [15, 15, 15, 15]);
bag("GROUP BY: two properties", "SELECT c.team, c.pk, COUNT(1) AS count FROM c GROUP BY c.team, c.pk",
  numbers.slice(0, 20).map((n) => ({ team: "abcd"[n % 4], pk: `p${n}`, count: 3 })));
bag("DISTINCT", "SELECT DISTINCT c.team FROM c", [..."abcd"].map((team) => ({ team })));
bag("DISTINCT: VALUE", "SELECT DISTINCT VALUE c.team FROM c", [..."abcd"]);
rows("DISTINCT, ORDER BY", "SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team", [..."abcd"]);
rows("DISTINCT, TOP, ORDER BY", "SELECT DISTINCT TOP 2 VALUE c.team FROM c ORDER BY c.team", ["a", "b"]);
check("DISTINCT, OFFSET LIMIT", async ({ client }) =>
  assert.equal((await all(await people(client), "SELECT DISTINCT VALUE c.team FROM c OFFSET 1 LIMIT 2")).length, 2));
bag("JOIN", "SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.n = 7", [1, 2]);
rows("GROUP BY of one partition key", "SELECT c.team, COUNT(1) AS count FROM c GROUP BY c.team", [{ team: "d", count: 3 }], { partitionKey: "p3" });
rows("functions", "SELECT VALUE c.n FROM c WHERE STARTSWITH(c.id, 'd5') AND REGEXMATCH(c.id, '^d5[0-3]$') AND ARRAY_LENGTH(c.tags) = 2 ORDER BY c.n", [50, 51, 52, 53]);
rows("COUNT, JOIN", "SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags", [120]);
rows("subquery: in FROM", "SELECT VALUE x.n FROM (SELECT VALUE c FROM c) x ORDER BY x.n OFFSET 1 LIMIT 2", [1, 2]);
rows("one partition key", "SELECT VALUE c.n FROM c ORDER BY c.n", [3, 23, 43], { partitionKey: "p3" });
rows("one partition key: in WHERE", "SELECT VALUE c.n FROM c WHERE c.pk = 'p3' ORDER BY c.n", [3, 23, 43]);
rows("one partition key, COUNT: in WHERE", "SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'p3'", [3]);
rows("filter, ORDER BY: keys by IN", "SELECT VALUE c.n FROM c WHERE c.pk IN ('p1', 'p2', 'p3') ORDER BY c.n", [1, 2, 3, 21, 22, 23, 41, 42, 43]);

check("pages, ORDER BY", async ({ client }) => {
  const iterator = (await people(client)).items.query("SELECT VALUE c.n FROM c ORDER BY c.n", { maxItemCount: 7 });
  const got = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    assert.ok((resources ?? []).length <= 7);
    got.push(...(resources ?? []));
  }
  assert.deepEqual(got, numbers);
});

check("continuation, one partition key", async ({ client }) => {
  const container = await people(client);
  const query = "SELECT VALUE c.n FROM c";
  const first = await container.items.query(query, { partitionKey: "p3", maxItemCount: 2 }).fetchNext();
  const rest = await all(container, query, { partitionKey: "p3", continuationToken: first.continuationToken });
  assert.deepEqual([...first.resources, ...rest], [3, 23, 43]);
});

check("continuation, ORDER BY: over partitions", async ({ client }) => {
  const container = await people(client);
  const options = { maxItemCount: 7, enableQueryControl: true };
  const first = await container.items.query("SELECT VALUE c.n FROM c ORDER BY c.n", options).fetchNext();
  assert.deepEqual(first.resources, numbers.slice(0, 7));
  const iterator = container.items.query("SELECT VALUE c.n FROM c ORDER BY c.n", { ...options, continuationToken: first.continuationToken });
  const got = [];
  while (iterator.hasMoreResults()) got.push(...((await iterator.fetchNext()).resources ?? []));
  assert.deepEqual(got, numbers.slice(7));
});

// resumedAfterEachPage reads a query by a new iterator for each page.
async function resumedAfterEachPage(container, query, options) {
  const got = [];
  let continuationToken;
  for (let pages = 0; pages < 100; pages++) {
    const iterator = container.items.query(query, { ...options, enableQueryControl: true, continuationToken });
    const { resources, continuationToken: next } = await iterator.fetchNext();
    got.push(...(resources ?? []));
    if (!next) return got;
    continuationToken = next;
  }
  throw new Error("the query does not end");
}

for (const [order, value] of [["c.n", "c.n"], ["c.n DESC", "c.n"], ["c.team", "[c.team, c.n]"], ["c.team DESC", "[c.team, c.n]"]]) {
  check(`continuation, ORDER BY: ${order}, resumed after each page`, async ({ client }) => {
    const container = await people(client);
    const query = `SELECT VALUE ${value} FROM c ORDER BY ${order}`;
    const want = await all(container, query);
    assert.equal(want.length, 60);
    for (const maxItemCount of [1, 2, 3, 7, 20]) {
      assert.deepEqual(await resumedAfterEachPage(container, query, { maxItemCount }), want, `${maxItemCount} rows a page`);
    }
  });
}

check("pages: for await", async ({ client }) => {
  let got = 0;
  for await (const { resources } of (await people(client)).items.query("SELECT * FROM c ORDER BY c.n").getAsyncIterator()) got += resources.length;
  assert.equal(got, 60);
});

check("geography", async ({ client }) => {
  // A document is at each whole degree from 0 to 11, and one is nowhere.
  const container = await freshContainer(client, { partitionKey: "/pk" });
  const at = (x) => ({ type: "Point", coordinates: [x, 45] });
  for (let n = 0; n < 12; n++) await container.items.create({ id: `${n}`, pk: `${n % 5}`, n, at: at(n) });
  await container.items.create({ id: "lost", pk: "1", n: 12, at: at(181) });
  const area = { type: "Polygon", coordinates: [[[2.5, 44], [6, 44], [6, 46], [2.5, 46], [2.5, 44]]] };
  const where = async (condition) => all(container, { query: `SELECT VALUE c.n FROM c WHERE ${condition} ORDER BY c.n`,
    parameters: [{ name: "@area", value: area }, { name: "@turned", value: { ...area, coordinates: [area.coordinates[0].toReversed()] } }, { name: "@at", value: at(7) }] });
  assert.deepEqual(await where("ST_WITHIN(c.at, @area)"), [3, 4, 5]);
  assert.deepEqual(await where("ST_INTERSECTS(c.at, @area)"), [3, 4, 5, 6]);
  assert.deepEqual(await where("ST_WITHIN(c.at, @turned)"), [0, 1, 2, 7, 8, 9, 10, 11]);
  assert.deepEqual(await where("ST_DISTANCE(c.at, @at) < 100000"), [6, 7, 8]);
  assert.deepEqual(await where("NOT ST_ISVALID(c.at)"), [12]);
  assert.deepEqual(await all(container, "SELECT VALUE ST_ISVALIDDETAILED(c.at).valid FROM c WHERE c.n > 10 ORDER BY c.n"), [true, false]);
});

check("metrics", async ({ client }) => {
  const iterator = (await people(client)).items.query("SELECT * FROM c", { populateQueryMetrics: true });
  assert.ok((await iterator.fetchNext()).headers);
});

check("prefix of a hierarchical key", async ({ client }) => {
  const container = await freshContainer(client, { partitionKey: { paths: ["/a", "/b"], kind: "MultiHash", version: 2 } });
  for (let n = 0; n < 12; n++) await container.items.create({ id: `${n}`, a: `a${n % 3}`, b: `b${n % 4}`, n });
  assert.deepEqual(await all(container, "SELECT VALUE c.n FROM c WHERE c.a = 'a1' ORDER BY c.n"), [1, 4, 7, 10]);
  assert.deepEqual(await all(container, "SELECT VALUE COUNT(1) FROM c", { partitionKey: ["a1"] }), [4]);
});

check("filter: a mistake is 400 with its code", async ({ client }) => {
  const err = await rejects(all(await people(client), "SELECT VALUE c.n FROM c ORDER"), 400);
  assert.match(err.body?.message ?? err.message, /SC1001/);
});

check("AVG: a composition of aggregates is refused", async ({ client }) => {
  await rejects(all(await people(client), "SELECT VALUE ABS(AVG(c.n)) FROM c"), 400);
});

area("items");

check("read all", async ({ client }) => {
  const { resources } = await (await people(client)).items.readAll().fetchAll();
  assert.equal(resources.length, 60);
});

check("read all: in pages", async ({ client }) => {
  const { resources } = await (await people(client)).items.readAll({ maxItemCount: 9 }).fetchAll();
  assert.equal(resources.length, 60);
});
