import { parse } from 'csv-parse/sync';
import type { Test } from 'tap';
import { matches, pathOf } from './naive-answers.js';
import { keyOf, type Card, type World } from './together-world.js';

const PHASES = ['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife'];

/** A card as it was sent, in the form of an export. */
function given({ sent, expected, ids }: World, key: string) {
  const {
    type,
    external_id,
    name,
    subtype = null,
    alias = null,
    description = null,
    lifecycle = {},
    attributes = {},
  } = sent.get(key)!;
  const card = expected.cards.get(key)!;
  const { industry, parent } = card;
  return {
    type,
    external_id,
    name,
    subtype,
    alias,
    description,
    lifecycle,
    attributes,
    parent_id: parent === null ? null : ids.get(parent)!,
    path: pathOf(expected.cards, card),
    tags: industry === undefined ? [] : [industry],
  };
}

const sorted = (values: Record<string, unknown>): [string, unknown][] =>
  Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

/** Checks that NDJSON and JSON contain every card as it was sent. */
export async function checkJsonExports(t: Test, world: World): Promise<void> {
  const { cards, exported, get } = world;
  const flat = (values: Record<string, unknown>): string =>
    JSON.stringify(
      sorted({
        ...values,
        lifecycle: sorted(values['lifecycle'] as Record<string, unknown>),
        attributes: sorted(values['attributes'] as Record<string, unknown>),
      }),
    );
  const wrong = exported.filter((card) => {
    const { type, external_id, name, subtype, alias, description, lifecycle, attributes, parent_id, path, tags } = card;
    return (
      flat({
        type,
        external_id,
        name,
        subtype,
        alias,
        description,
        lifecycle,
        attributes,
        parent_id,
        path,
        tags: tags.map((tag) => tag.name),
      }) !== flat(given(world, keyOf(card))) ||
      card['status'] !== 'ACTIVE' ||
      card['approval_status'] !== 'DRAFT' ||
      card['version'] !== 1
    );
  });
  t.same(wrong.slice(0, 3), []);
  t.equal(exported.length, cards.length);
  t.ok(
    JSON.stringify(await get<Card[]>('/cards/export', { format: 'json' })) === JSON.stringify(exported),
    'an array of the same',
  );
}

/** Checks that CSV contains every field of every card as it was sent, and no cell that a spreadsheet executes. */
export async function checkCsvExport(t: Test, world: World): Promise<void> {
  const { cards, texts, ids, keys, get } = world;
  const unguarded = (cell: string): string => (/^'+[=+@\t\r\n＝＋－＠-]/.test(cell) ? cell.slice(1) : cell);
  const read = async (query: Record<string, string>): Promise<Record<string, string>[]> =>
    parse(await get<string>('/cards/export', { format: 'csv', ...query }), { columns: true, record_delimiter: '\n' });
  const rows = await read({});
  t.equal(rows.length, cards.length, 'rows');
  t.same(
    rows.flatMap((row) => Object.entries(row)).filter(([, cell]) => /^[=+@\t\r-]/.test(cell)),
    [],
    'no cell a spreadsheet would run',
  );
  const fieldsOf = (key: string): Record<string, string> => {
    const { lifecycle, attributes, path, tags, ...plain } = given(world, key);
    return {
      ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, value ?? ''])),
      path: path.join(' / '),
      tags: tags.length > 0 ? JSON.stringify(tags) : '',
      ...Object.fromEntries(PHASES.map((phase) => [`lifecycle.${phase}`, lifecycle[phase] ?? ''])),
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`attributes.${name}`, String(value)])),
      id: ids.get(key)!,
      status: 'ACTIVE',
      approval_status: 'DRAFT',
      version: '1',
    };
  };
  const beside = new Set(['data_quality', 'created_at', 'updated_at']);
  const faults = (row: Record<string, string>): string[] => {
    const right = fieldsOf(keys.get(row['id']!)!);
    return [...new Set([...Object.keys(row), ...Object.keys(right)])]
      .filter((column) => !beside.has(column) && unguarded(row[column] ?? 'no column') !== (right[column] ?? ''))
      .map((column) => `${column}: ${row[column]} and not ${right[column]}`);
  };
  t.same(rows.flatMap(faults).slice(0, 5), [], 'fields');
  const components = await read({ type: 'ITComponent', search: 'kubernetes' });
  const hits = texts
    .filter((text) => text.card.type === 'ITComponent' && matches(text, 'kubernetes'))
    .map(({ card }) => card.key);
  t.same(components.map((row) => keys.get(row['id']!)!).sort(), hits.sort(), 'those of a filter');
  t.same(components.flatMap(faults), [], 'with their fields');
}
