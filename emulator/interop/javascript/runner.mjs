// Starts the emulator, runs named checks one after the other, and prints ok or FAIL for
// each. The exit code is 1 if a check fails.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const checks = [];
let group = "";

// area names the part of the SDK that the next checks use.
export function area(name) {
  group = name;
}

// check adds a check. It fails if the function throws, or takes longer than 30 seconds.
export function check(name, run) {
  checks.push({ name: `${group}: ${name}`, run });
}

// startEmulator starts `pkgen emulator` with some flags, and returns its endpoint, its
// key and a function that stops it. PKGEN is the path of the binary.
export async function startEmulator(...flags) {
  const folder = mkdtempSync(join(tmpdir(), "pkgen-interop-"));
  const child = spawn(process.env.PKGEN || "pkgen",
    ["emulator", "-addr", "127.0.0.1:0", "-cert", join(folder, "emulator.pem"), ...flags],
    { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve, reject) => {
    let text = "";
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the emulator ended with ${code}: ${text}`)));
    child.stdout.on("data", (data) => {
      text += data;
      const found = /AccountEndpoint=([^;]+);AccountKey=([^;]+);/.exec(text);
      if (found) resolve(found);
    });
  });
  return {
    endpoint: line[1],
    key: line[2],
    stop() {
      child.removeAllListeners("exit");
      child.kill("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// runAll runs the checks whose name holds the first argument of the program, or all.
export async function runAll(context) {
  const only = process.argv[2] || "";
  let failed = 0, ran = 0;
  for (const { name, run } of checks) {
    if (!name.includes(only)) continue;
    ran++;
    try {
      await within(30_000, run(context));
      console.log(`ok ${name}`);
    } catch (err) {
      failed++;
      const where = (err.stack || "").split("\n").slice(0, 4).join("\n    ");
      console.log(`FAIL ${name}\n    ${err.code ?? ""} ${String(err.body?.message ?? where).slice(0, 900)}`);
    }
  }
  console.log(`${ran - failed} of ${ran} checks passed`);
  return failed === 0 && ran > 0;
}

function within(ms, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
