// Checks of ORDER BY RANK over four physical partitions, against a ranking of all documents.
import assert from "node:assert/strict";
import { VectorEmbeddingDataType, VectorEmbeddingDistanceFunction } from "@azure/cosmos";
import { area, check } from "./runner.mjs";
import { all, freshContainer, rejects } from "./fixture.mjs";

area("queries");

const question = [3, 1];

// articles is a container of 80 documents over 20 partition keys, made once. A document has
// a title and a body of a few words, and a vector; each tenth lacks the body and the vector.
const texts = Array.from({ length: 80 }, (_, n) => {
  const doc = { id: `d${n}`, pk: `p${n % 20}`, n, title: ["maple", "quartz"][n % 2] + " lamp".repeat(n % 5) };
  if (n % 10) {
    doc.body = ["cedar", "stone", "river"].map((word, i) => `${word} `.repeat((n * (i + 3)) % (5 + i))).join("") + "x ".repeat(n % 13);
    doc.vector = [n % 7, 1 + (n % 11)];
  }
  return doc;
});

let filled;

async function articles(client) {
  filled ??= (async () => {
    const container = await freshContainer(client, {
      vectorEmbeddingPolicy: {
        vectorEmbeddings: [{ path: "/vector", dataType: VectorEmbeddingDataType.Float32, dimensions: 2, distanceFunction: VectorEmbeddingDistanceFunction.Euclidean }],
      },
      fullTextPolicy: { defaultLanguage: "en-US", fullTextPaths: [{ path: "/body", language: "en-US" }, { path: "/title", language: "en-US" }] },
      indexingPolicy: {
        includedPaths: [{ path: "/*" }],
        excludedPaths: [{ path: "/vector/*" }],
        vectorIndexes: [{ path: "/vector", type: "flat" }],
        fullTextIndexes: [{ path: "/body" }, { path: "/title" }],
      },
    });
    for (const doc of texts) await container.items.create(doc);
    return container;
  })();
  return filled;
}

// relevance scores a text by BM25, with the statistics of all documents.
function relevance(property, ...words) {
  const split = (doc) => (doc[property] ?? "").split(/[^a-z]+/).filter(Boolean);
  const count = (doc, word) => split(doc).filter((w) => w === word).length;
  const average = texts.reduce((sum, doc) => sum + split(doc).length, 0) / texts.length;
  const rarity = words.map((word) => {
    const n = texts.filter((doc) => count(doc, word) > 0).length;
    return Math.log(1 + (texts.length - n + 0.5) / (n + 0.5));
  });
  return (doc) => {
    if (doc[property] === undefined) return -1;
    return words.reduce((sum, word, i) => {
      const n = count(doc, word);
      return sum + (rarity[i] * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * split(doc).length) / average));
    }, 0);
  };
}

const nearness = (doc) => (doc.vector ? -Math.hypot(doc.vector[0] - question[0], doc.vector[1] - question[1]) : -Infinity);

// fused is the sum of weight / (60 + rank) over some scores. Equal scores share a rank.
function fused(scores, weights = scores.map(() => 1)) {
  const ranks = scores.map((score, i) => {
    const values = [...new Set(texts.map((doc) => score(doc)))].sort((a, b) => (weights[i] < 0 ? a - b : b - a));
    return (doc) => 1 + values.indexOf(score(doc));
  });
  return (doc) => ranks.reduce((sum, rank, i) => sum + Math.abs(weights[i]) / (60 + rank(doc)), 0);
}

// ranked adds a check of a ranking. Documents of equal scores may come in any order.
function ranked(name, query, score, { skip = 0, take = 10, where = () => true, options } = {}) {
  check(name, async ({ client }) => {
    const got = await all(await articles(client), query, options);
    const want = texts.filter(where).map(score).sort((a, b) => b - a).slice(skip, skip + take);
    assert.equal(new Set(got.map((doc) => doc.id)).size, want.length);
    got.forEach((doc, i) => {
      const value = score(texts[doc.n]);
      assert.ok(Math.abs(value - want[i]) < 1e-9, `row ${i}, ${doc.id}: ${value}, want ${want[i]}`);
    });
  });
}

const body = relevance("body", "cedar", "river");
const title = relevance("title", "lamp");
const textScore = "FullTextScore(c.body, 'cedar', 'river')";
const titleScore = "FullTextScore(c.title, 'lamp')";
const distance = `VectorDistance(c.vector, [${question}])`;

ranked("full-text score, TOP", `SELECT TOP 10 * FROM c ORDER BY RANK ${textScore}`, body);
ranked("full-text score, OFFSET LIMIT", `SELECT c.id, c.n FROM c ORDER BY RANK ${textScore} OFFSET 5 LIMIT 12`, body, { skip: 5, take: 12 });
ranked("full-text score, filter", `SELECT TOP 10 * FROM c WHERE c.n > 30 ORDER BY RANK ${textScore}`, body, { where: (doc) => doc.n > 30 });
ranked("full-text score, parameters", {
  query: "SELECT TOP 10 * FROM c ORDER BY RANK FullTextScore(c.body, @first, @second)",
  parameters: [{ name: "@first", value: "cedar" }, { name: "@second", value: "River" }],
}, body);
ranked("full-text score, one partition key: statistics of all documents", `SELECT TOP 10 * FROM c WHERE c.pk = 'p3' ORDER BY RANK ${textScore}`, body,
  { where: (doc) => doc.pk === "p3" });
ranked("rank fusion of texts", `SELECT TOP 10 * FROM c ORDER BY RANK RRF(${textScore}, ${titleScore})`, fused([body, title]));
ranked("rank fusion of texts: the long form of the plan", `SELECT TOP 10 * FROM c ORDER BY RANK RRF(${textScore}, ${titleScore})`, fused([body, title]),
  { options: { disableHybridSearchQueryPlanOptimization: true } });
ranked("rank fusion with vectors", `SELECT TOP 10 * FROM c ORDER BY RANK RRF(${distance}, ${textScore}, ${titleScore})`, fused([nearness, body, title]));
ranked("rank fusion with vectors, parameters", {
  query: `SELECT TOP 10 * FROM c ORDER BY RANK RRF(${textScore}, VectorDistance(c.vector, @question))`,
  parameters: [{ name: "@question", value: question }],
}, fused([body, nearness]));
ranked("rank fusion with vectors: of which there are two", `SELECT TOP 10 * FROM c ORDER BY RANK RRF(${distance}, VectorDistance(c.vector, [-1, 2]))`,
  fused([nearness, (doc) => (doc.vector ? -Math.hypot(doc.vector[0] + 1, doc.vector[1] - 2) : -Infinity)]));
ranked("rank fusion with weights", `SELECT TOP 10 * FROM c ORDER BY RANK RRF(${textScore}, ${distance}, [2, 0.5])`, fused([body, nearness], [2, 0.5]));
ranked("rank fusion with weights: one is negative", `SELECT TOP 10 * FROM c ORDER BY RANK RRF(${textScore}, ${titleScore}, [1, -0.3])`, fused([body, title], [1, -0.3]));

check("full-text score, one partition key: not by an option, with which the SDK would rank all documents", async ({ client }) => {
  const err = await rejects(all(await articles(client), `SELECT TOP 10 * FROM c ORDER BY RANK ${textScore}`, { partitionKey: "p3" }), 400);
  assert.match(err.body.message, /Name the key in the WHERE clause/);
});

check("full-text score: not outside of ORDER BY RANK", async ({ client }) => {
  const container = await articles(client);
  await rejects(all(container, "SELECT FullTextScore(c.body, 'cedar') FROM c", { partitionKey: "p3" }), 400);
  await rejects(all(container, `SELECT TOP 3 * FROM c ORDER BY RANK ${textScore} DESC`, { partitionKey: "p3" }), 400);
});
