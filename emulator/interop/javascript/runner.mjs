// Runs named checks one after the other, prints ok or FAIL for each, and writes their
// results as JSON lines. The exit code is 1 if a check fails.
import { appendFileSync } from "node:fs";
import { join } from "node:path";

const checks = [];
let current = "";

// area names the part of the SDK that the next checks use.
export function area(name) {
  current = name;
}

// check adds a check. Its name begins with the operations that it tries, as they are in
// interop/operations.txt: "create, read: a detail". It fails if the function throws, or
// takes longer than 30 seconds. A check that passes has the result works; refused, if the
// server has to refuse what is tried; or sdk, if the SDK does.
export function check(name, run, result = "works") {
  checks.push({ where: current, name, run, result });
}

// runAll runs the checks whose name holds the first argument of the program, or all.
export async function runAll(context) {
  const only = process.argv[2] || "";
  const begin = Date.now();
  let failed = 0, ran = 0;
  for (const { where, name, run, result } of checks) {
    if (!`${where}: ${name}`.includes(only)) continue;
    ran++;
    let error;
    try {
      await within(30_000, run(context));
      console.log(`ok ${where}: ${name}`);
    } catch (err) {
      failed++;
      const stack = (err.stack || "").split("\n").slice(0, 4).join("\n    ");
      error = `${err.code ?? ""} ${String(err.body?.message ?? stack).slice(0, 900)}`;
      console.log(`FAIL ${where}: ${name}\n    ${error}`);
    }
    record(where, name, error === undefined ? result : "fail", error);
  }
  console.log(`${ran - failed} of ${ran} checks passed, ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  return failed === 0 && ran > 0;
}

function record(where, name, result, error) {
  if (!process.env.INTEROP_RESULTS) return;
  const operations = name.split(":")[0].split(", ");
  const line = JSON.stringify({ sdk: "javascript", area: where, operations, check: name, result, error });
  appendFileSync(join(process.env.INTEROP_RESULTS, "javascript.jsonl"), line + "\n");
}

function within(ms, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
