/**
 * Compares the service with the bare work that limits it, both measured in the same run: `npm run bench -- --size S|M|XL`.
 * It has figures and no assertions: it fails only if something cannot be measured. It starts its own database and
 * leaves only the JSON file.
 */
import { inspect } from 'node:util';
import { prepare, type Bench } from './bench.js';
import { readOptions, SCALES, USAGE, type Options } from './options.js';
import { busyNote, diskLine, loadNow, table, writeJson, writeTable, type Failure, type Figures } from './report.js';
import { attack } from './section-attack.js';
import { bulk, relations } from './section-bulk.js';
import { exported } from './section-export.js';
import { idle } from './section-idle.js';
import { impact } from './section-impact.js';
import { imported } from './section-import.js';
import { get, list } from './section-read.js';
import { logIn } from './section-login.js';
import { reports } from './section-reports.js';
import { singleRelations } from './section-relation.js';
import { search } from './section-search.js';
import { start } from './section-start.js';
import { sse } from './section-stream.js';
import { webhooks } from './section-webhooks.js';
import { create, patch } from './section-write.js';

/** In order of execution: sections that only read come before those that make the tables grow. */
const SECTIONS: Record<string, (bench: Bench) => Promise<void>> = {
  start,
  idle,
  list,
  get,
  search,
  export: exported,
  impact,
  reports,
  sse,
  login: logIn,
  patch,
  create,
  bulk,
  relations: async (bench) => {
    await singleRelations(bench);
    await relations(bench);
  },
  import: imported,
  webhooks,
  attack,
};

/** Sections that have to wait, which run in the largest size or if they are named. */
const WAITING = new Set(['idle', 'webhooks']);
const LARGEST = SCALES.XL.limitSeconds;

/** A section begins only if this share of the whole time is left. */
const RESERVE = 0.08;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs the sections. @returns those that were not measured, with the reason */
async function measure(bench: Bench, { only, scale }: Options, began: number, signal: AbortSignal): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (only.length > 0 ? !only.includes(name) : WAITING.has(name) && scale.limitSeconds < LARGEST) continue;
    if (signal.aborted) break;
    const seconds = (performance.now() - began) / 1_000;
    if (seconds > scale.limitSeconds * (1 - RESERVE)) {
      failures.push({ section: name, reason: `left out: ${seconds.toFixed(0)} of ${scale.limitSeconds} s had passed` });
      continue;
    }
    const sectionBegan = performance.now();
    try {
      await section(bench);
      print(`${name}: ${((performance.now() - sectionBegan) / 1_000).toFixed(1)} s`);
    } catch (error) {
      if (!signal.aborted)
        failures.push({ section: name, reason: error instanceof Error ? error.message : inspect(error) });
    }
  }
  return failures;
}

/** @returns the exit code */
async function main(args: string[]): Promise<number> {
  const options = readOptions(args, Object.keys(SECTIONS));
  const began = performance.now();
  const load = loadNow();
  const stop = new AbortController();
  const aborted = new Promise<string>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, () => resolve(`interrupted by ${name}`));
    setTimeout(
      () => resolve(`the time of ${options.scale.limitSeconds} s is up`),
      options.scale.limitSeconds * 1_000,
    ).unref();
  });
  const cleanup: (() => Promise<unknown>)[] = [];
  const figures: Figures = { rows: [], writes: [], disk: undefined };
  const failures: Failure[] = [];
  try {
    const work = (async () => {
      const bench = await prepare(options, cleanup, figures, print);
      failures.push(...(await measure(bench, options, began, stop.signal)));
    })();
    const reason = await Promise.race([work, aborted]);
    if (reason !== undefined) {
      stop.abort();
      failures.push({ section: 'run', reason });
    }
    // Work that is still running when the time is up fails, because its connections are closed.
    work.catch(() => undefined);
  } catch (error) {
    failures.push({ section: 'run', reason: inspect(error) });
  } finally {
    for (const undo of cleanup.reverse())
      await undo().catch((error: unknown) => {
        if (failures.length === 0) print(`cleaning up: ${inspect(error)}`);
      });
  }
  const seconds = (performance.now() - began) / 1_000;
  if (figures.rows.length > 0) print(`\n${table(figures.rows)}`);
  if (figures.writes.length > 0) print(`\n${writeTable(figures.writes)}\n`);
  if (figures.disk) print(diskLine(figures.disk));
  const note = busyNote(load);
  if (note !== undefined) print(note);
  for (const { section, reason } of failures) print(`not measured: ${section}: ${reason}`);
  writeJson(options, figures, failures, seconds, load);
  print(`\n${options.size}, ${seconds.toFixed(0)} s; figures in ${options.json}`);
  return failures.length > 0 ? 1 : 0;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  print(error instanceof Error ? `${error.message}\n${USAGE}` : inspect(error));
  process.exit(2);
}
