import { applied, staged } from '../support/imports.js';
import type { Bench } from './bench.js';
import { makeCard } from './cards.js';
import { relationsOf } from './relations.js';
import { randomNumbers } from './words.js';

const ROWS = 5_000;
const RELATIONS_PER_CARD = 3;
const APPLY_MS = 60_000;

/** An import of new cards as NDJSON, one of relations between them, and both again: reading with the preview, then applying. */
export async function imported(bench: Bench): Promise<void> {
  const { api } = bench.admin;
  const random = randomNumbers(500);
  const made = Array.from({ length: ROWS }, (_, n) => {
    const card = makeCard(random, n);
    return { ...card, name: `${card.name} import`, external_id: `import-${n}` };
  });
  const byType = new Map<string, string[]>();
  for (const { type, external_id } of made) byType.set(type, [...(byType.get(type) ?? []), external_id]);
  const related = made.flatMap(({ type, external_id }) =>
    relationsOf({ id: external_id, type }, RELATIONS_PER_CARD, byType, random).map(
      ({ type: { key }, source, target }) => ({
        relation: {
          type: key,
          source: { type: source.type, external_id: source.id },
          target: { type: target.type, external_id: target.id },
        },
      }),
    ),
  );
  const write = async (name: string, work: string, kind: 'card' | 'relation', rows: readonly unknown[]) => {
    const file = textOf(rows);
    const { id } = await timed(bench, rows.length, `${name}_preview`, `${work}: read and preview`, 'ready', () =>
      staged(api, 'ndjson', file),
    );
    const { counts } = await timed(bench, rows.length, `${name}_apply`, `${work}: apply`, 'applied', () =>
      applied(api, id, APPLY_MS),
    );
    if (counts[kind]['create'] !== rows.length)
      throw new Error(`of ${rows.length} rows not all were created: ${JSON.stringify(counts[kind])}`);
  };
  await write('import', 'import', 'card', made);
  await write('import_relations', 'import of relations', 'relation', related);
  const again = [...made, ...related];
  const file = textOf(again);
  const { counts } = await timed(bench, again.length, 'import_unchanged', 'import: unchanged rows', 'ready', () =>
    staged(api, 'ndjson', file),
  );
  if ((counts.card['unchanged'] ?? 0) + (counts.relation['unchanged'] ?? 0) !== again.length)
    throw new Error(`of ${again.length} rows not all were unchanged: ${JSON.stringify(counts)}`);
}

const textOf = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

/** Measures one step of an import and adds its figures for each row of the file. @throws unless it ends in the state */
async function timed<T extends { state: string }>(
  { cpu, writes, add, addWrite }: Bench,
  rows: number,
  name: string,
  work: string,
  state: string,
  step: () => Promise<T>,
): Promise<T> {
  const end = await writes.start();
  const stop = cpu.start();
  const began = performance.now();
  const result = await step();
  const perSecond = (rows * 1_000) / (performance.now() - began);
  const use = stop();
  const written = await end();
  if (result.state !== state) throw new Error(`${work} ended as ${result.state}, not ${state}`);
  const side = { perSecond, node: use && use.node / rows, postgres: use && use.postgres / rows, written, steps: rows };
  addWrite(name, side, 'row');
  add({ work, figure: perSecond, unit: 'rows/s', node: side.node, postgres: side.postgres });
  return result;
}
