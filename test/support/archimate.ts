/** Imports public ArchiMate models twice and compares the results with figures counted from the files. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { DATA_DIR, registerAdmin, sql, testApp, until } from './app.js';
import { applied, rowsOf, staged, type ImportBody } from './imports.js';

const folder = join(DATA_DIR, 'archimate');

interface Figures {
  elements: number;
  relationships: number;
  element_types: Record<string, number>;
  dangling_relationship_ends: number;
  relationships_to_relationships: number;
}

const STORED = ['create', 'update', 'unchanged', 'archived'];
const count = (counts: Record<string, number>, verdicts: string[]): number =>
  verdicts.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0);

/** The numbers of elements and relationships by what the import makes of them. */
function sums({ counts: { card, relation } }: ImportBody): Record<string, number> {
  return {
    cards: count(card, STORED),
    unmapped: card['unmapped'] ?? 0,
    relations: count(relation, STORED),
    parents: relation['parent'] ?? 0,
    duplicate: relation['duplicate'] ?? 0,
    unsupported: relation['unsupported'] ?? 0,
    dangling: relation['dangling'] ?? 0,
  };
}

/** Models of at least so many bytes are read only in long runs: half of the models have four fifths of all bytes. */
export const LARGE_BYTES = 200_000;

/**
 * Imports models, checks that each is stored completely, and that importing all of them a second time changes nothing.
 * @param isWanted selects models by the size of their file in bytes
 * @param least least number of selected models
 */
export async function importModels(t: Test, isWanted: (bytes: number) => boolean, least: number): Promise<void> {
  const expected = JSON.parse(readFileSync(join(folder, 'expected-counts.json'), 'utf8')) as Record<string, Figures>;
  const files = readdirSync(join(folder, 'open-exchange'))
    .filter((name) => name.endsWith('.xml') && isWanted(statSync(join(folder, 'open-exchange', name)).size))
    .sort();
  t.ok(files.length >= least, `${files.length} models`);
  const { origin, database, close } = await testApp();
  t.teardown(close);
  const { api } = await registerAdmin(origin);
  /** Waits until all events have their position. @returns the number of those about cards and relations */
  const changes = async (): Promise<number> => {
    await until(async () => (await sql(database, 'select from event_outbox limit 1')).length === 0);
    return (
      await sql<{ n: number }>(
        database,
        `select count(*)::int as n from events where subject_kind in ('card', 'relation')`,
      )
    )[0]!.n;
  };
  const models: { file: string; xml: Buffer; of: Record<string, number> }[] = [];
  const made = { cards: 0, changes: 0 };
  for (const file of files) {
    const xml = readFileSync(join(folder, 'open-exchange', file));
    const read = await staged(api, 'archimate', xml, { file_name: file });
    t.equal(read.state, 'ready', `${file}: ${JSON.stringify(read.errors)}`);
    const of = sums(read);
    const { elements, relationships, element_types: kinds } = expected[file]!;
    t.equal(of['cards']! + of['unmapped']!, elements, `${file}: elements`);
    t.equal(
      of['relations']! + of['parents']! + of['duplicate']! + of['unsupported']! + of['dangling']!,
      relationships,
      `${file}: relationships`,
    );
    const unmapped = Object.entries(kinds)
      .filter(([kind]) => /Junction$|^Location$|^Grouping$/.test(kind))
      .reduce((sum, [, n]) => sum + n, 0);
    t.equal(of['unmapped'], unmapped, `${file}: unmapped`);
    t.equal(read.counts.relation['invalid'] ?? 0, 0, file);
    const done = await applied(api, read.id);
    t.equal(done.state, 'applied', file);
    t.strictSame(
      [done.counts.card['failed'] ?? 0, done.counts.relation['failed'] ?? 0],
      [0, 0],
      `${file}: ${JSON.stringify((await rowsOf(api, read.id, { verdict: 'failed' })).slice(0, 3))}`,
    );
    made.cards += read.counts.card['create'] ?? 0;
    made.changes += count(read.counts.card, ['create', 'update']) + count(read.counts.relation, ['create', 'update']);
    models.push({ file, xml, of });
  }
  const head = await changes();
  t.equal(head, made.changes, 'an event per change');

  const once = async ({ file, xml, of }: (typeof models)[number]): Promise<void> => {
    const again = await staged(api, 'archimate', xml, { file_name: file });
    const due = await rowsOf(api, again.id, { verdict: 'create,update' });
    t.strictSame(due, [], `${file} again: ${JSON.stringify(due.slice(0, 3))}`);
    t.strictSame(sums(again), of, `${file} again`);
    t.equal((await applied(api, again.id)).state, 'applied', `${file} again`);
  };
  const left = [...models];
  // A node runs four imports at a time.
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let next = left.shift(); next; next = left.shift()) await once(next);
    }),
  );
  t.equal(await changes(), head, 'the second time creates no event of cards and relations');
  t.equal((await api.get<{ total: number }>('/cards', { query: { page_size: 1 } })).body.total, made.cards);

  const [deepest] = await sql<{ n: number }>(
    database,
    `select max(cardinality(path_ids)) + 1 as n from cards where type = 'BusinessCapability'`,
  );
  t.ok(deepest!.n > 1 && deepest!.n <= 6, `capabilities have ${deepest!.n} levels`);
  const [kinds] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from relations where type = 'related' and attributes->>'kind' is null`,
  );
  t.equal(kinds!.n, 0, 'a relation that fits no relation type has its original kind');
}
