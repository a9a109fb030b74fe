import { applied, staged } from '../support/imports.js';
import type { Bench } from './bench.js';
import { makeCard } from './cards.js';
import { randomNumbers } from './words.js';

const ROWS = 5_000;
const APPLY_MS = 60_000;

/** An import of new cards as NDJSON: reading it with its preview, then applying it. */
export async function imported(bench: Bench): Promise<void> {
  const { api } = bench.admin;
  const random = randomNumbers(500);
  const file = Array.from({ length: ROWS }, (_, n) => {
    const card = makeCard(random, n);
    return JSON.stringify({ ...card, name: `${card.name} import`, external_id: `import-${n}` });
  }).join('\n');
  const { id } = await timed(bench, 'import_preview', 'import: read and preview', 'ready', () =>
    staged(api, 'ndjson', file),
  );
  const { counts } = await timed(bench, 'import_apply', 'import: apply', 'applied', () => applied(api, id, APPLY_MS));
  if (counts.card['create'] !== ROWS)
    throw new Error(`of ${ROWS} rows not all were created: ${JSON.stringify(counts.card)}`);
}

/** Measures one step of an import and adds its figures for each row of the file. @throws unless it ends in the state */
async function timed<T extends { state: string }>(
  { cpu, writes, add, addWrite }: Bench,
  name: string,
  work: string,
  state: string,
  step: () => Promise<T>,
): Promise<T> {
  const end = await writes.start();
  const stop = cpu.start();
  const began = performance.now();
  const result = await step();
  const perSecond = (ROWS * 1_000) / (performance.now() - began);
  const use = stop();
  const written = await end();
  if (result.state !== state) throw new Error(`${work} ended as ${result.state}, not ${state}`);
  const side = { perSecond, node: use && use.node / ROWS, postgres: use && use.postgres / ROWS, written, steps: ROWS };
  addWrite(name, side, 'row');
  add({ work, figure: perSecond, unit: 'rows/s', node: side.node, postgres: side.postgres });
  return result;
}
