// Containers that checks share.
import { randomUUID } from "node:crypto";
import { PartitionKeyDefinitionVersion, PartitionKeyKind } from "@azure/cosmos";

const databaseID = `javascript-${randomUUID()}`;
let count = 0;

// freshContainer makes an empty container of four physical partitions, in a database of its own
// kind.
export async function freshContainer(client, more = {}) {
  const { database } = await client.databases.createIfNotExists({ id: databaseID });
  const { container } = await database.containers.create({
    id: `c${++count}`,
    partitionKey: { paths: ["/pk"], version: PartitionKeyDefinitionVersion.V2, kind: PartitionKeyKind.Hash },
    ...more,
  });
  return container;
}

let filled;

// people is a container of 60 documents over 20 partition keys, made once. A document has
// n from 0 to 59, a team of four, an age for all but each tenth, and a list of tags.
export async function people(client) {
  filled ??= (async () => {
    const container = await freshContainer(client, {
      indexingPolicy: {
        compositeIndexes: [[{ path: "/team", order: "ascending" }, { path: "/n", order: "descending" }]],
      },
    });
    for (let n = 0; n < 60; n++) {
      const doc = { id: `d${n}`, pk: `p${n % 20}`, n, team: "abcd"[n % 4], tags: [n % 3, n % 5] };
      if (n % 10) doc.age = (n * 7) % 50;
      await container.items.create(doc);
    }
    return container;
  })();
  return filled;
}

// all reads all rows of a query.
export async function all(container, query, options) {
  const { resources } = await container.items.query(query, options).fetchAll();
  return resources;
}

// rejects returns the error of a promise that must fail with a code.
export async function rejects(promise, code) {
  let answer;
  try {
    answer = await promise;
  } catch (err) {
    if (err.code !== code) throw err;
    return err;
  }
  throw new Error(`no error, but ${answer?.statusCode ?? answer?.code}`);
}
