import { defineReport, Strict, Type, Uuid, type Picture, type Static } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readPairs, type CellRow } from './repository.js';
import { Count, Named, card, elementsOf, most } from './shapes.js';
import { count, textsOf } from './words/index.js';

/** Pairs that are read; more are cut off. */
const MOST_PAIRS = 20_000;

const parameters = Strict({ most: most(60, 300, 'rows, and of columns,') });
const answer = Type.Object({
  truncated: Type.Boolean({ description: 'Whether rows or columns were left out.' }),
  rows: Type.Array(Named),
  columns: Type.Array(Named),
  cells: Type.Array(
    Type.Object({
      row_id: Uuid(),
      column_id: Uuid(),
      related: Type.Boolean({ description: 'Whether a relation between the two exists that the caller sees.' }),
      elements: Count('Elements of the published flow that are linked with the card.'),
      href: Type.Optional(Type.String({ description: 'The list of the elements.' })),
    }),
  ),
});
type Answer = Static<typeof answer>;

/** The cards of one side that have the most pairs, by name. */
function sideOf(pairs: readonly CellRow[], side: 'row' | 'column', limit: number): { id: string; name: string }[] {
  const counts = new Map<string, { id: string; name: string; count: number; place: number }>();
  for (const pair of pairs) {
    const id = pair[`${side}_id`];
    const known = counts.get(id);
    if (known) known.count++;
    else counts.set(id, { id, name: pair[`${side}_name`], count: 1, place: counts.size });
  }
  const chosen = [...counts.values()].sort((a, b) => b.count - a.count || a.place - b.place).slice(0, limit);
  const order = new Intl.Collator('en');
  return chosen
    .sort((a, b) => order.compare(a.name, b.name) || (a.id < b.id ? -1 : 1))
    .map(({ id, name }) => ({ id, name }));
}

function matrixOf(pairs: readonly CellRow[], limit: number): Answer {
  const [rows, columns] = [sideOf(pairs, 'row', limit), sideOf(pairs, 'column', limit)];
  const [inRows, inColumns] = [new Set(rows.map(({ id }) => id)), new Set(columns.map(({ id }) => id))];
  const cells = pairs.filter(({ row_id, column_id }) => inRows.has(row_id) && inColumns.has(column_id));
  return {
    truncated: cells.length < pairs.length || pairs.length === MOST_PAIRS,
    rows,
    columns,
    cells: cells.map(({ row_id, column_id, related, elements }) => ({
      row_id,
      column_id,
      related,
      elements,
      ...(elements > 0 && { href: elementsOf(row_id, column_id) }),
    })),
  };
}

/** @param isTurned whether processes are the columns of the picture */
function picture(
  side: 'capability' | 'application',
  isTurned: boolean,
  { rows, columns, cells, truncated }: Answer,
  lang: string,
): Picture {
  const { matrix: words, column: titles, dashboard } = textsOf(lang);
  const columnTitle = side === 'capability' ? titles.capabilities : titles.applications;
  const [across, down] = isTurned ? [rows, columns] : [columns, rows];
  const placeOf = (side: readonly { id: string }[]) => new Map(side.map(({ id }, i) => [id, i]));
  const [row, column] = [placeOf(down), placeOf(across)];
  return {
    title: side === 'capability' ? words.capabilities : words.applications,
    subtitle: `${count(rows.length, 'process', lang)}, ${count(columns.length, side, lang)}`,
    description: words.pairs(new Intl.NumberFormat(lang).format(cells.length)),
    ...(truncated && { notes: [words.truncated] }),
    content: {
      kind: 'grid',
      rowTitle: isTurned ? columnTitle : titles.processes,
      columnTitle: isTurned ? titles.processes : columnTitle,
      rows: down.map(({ id, name }) => ({ label: name, href: card(id) })),
      columns: across.map(({ id, name }) => ({ label: name, href: card(id) })),
      cells: cells.map((cell) => ({
        row: row.get(isTurned ? cell.column_id : cell.row_id)!,
        column: column.get(isTurned ? cell.row_id : cell.column_id)!,
        texts: [cell.elements > 0 ? String(cell.elements) : '•'],
        value: Math.max(1, cell.elements),
        ...(cell.href !== undefined && { href: cell.href }),
      })),
      unit: isTurned ? words.relations : dashboard.elements,
    },
  };
}

const tables = (side: 'capability' | 'application', view: Answer, lang: string) => {
  const { column } = textsOf(lang);
  const nameOf = new Map([...view.rows, ...view.columns].map(({ id, name }) => [id, name]));
  return [
    {
      name: column.pairs,
      columns: [
        { title: column.process, kind: 'text' as const },
        { title: column[side], kind: 'text' as const },
        { title: column.relation, kind: 'boolean' as const },
        { title: column.elements, kind: 'number' as const },
      ],
      rows: view.cells.map(({ row_id, column_id, related, elements }) => [
        nameOf.get(row_id)!,
        nameOf.get(column_id)!,
        related,
        elements,
      ]),
    },
  ];
};

/** Which capabilities are supported by which processes. */
export const capabilityProcessMatrix = defineReport<BpmServices, typeof parameters, typeof answer>({
  id: 'capability-process-matrix',
  title: 'Capabilities and processes',
  description:
    'Which processes support which capabilities, by the relations between them. Rows of the answer are processes, columns capabilities.',
  permission: VIEW,
  parameters,
  answer,
  run: ({ host }, { ctx, parameters: { most: limit = 60 }, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory) =>
      matrixOf(await readPairs(inventory, 'BusinessCapability', { elements: false, most: MOST_PAIRS }), limit),
    ),
  tables: (view, { lang }) => tables('capability', view, lang),
  picture: (view, { lang }) => picture('capability', true, view, lang),
});

/** Which applications are used by which processes. */
export const processApplicationMatrix = defineReport<BpmServices, typeof parameters, typeof answer>({
  id: 'process-application-matrix',
  title: 'Processes and applications',
  description: 'Which applications the elements of published flows are linked with, and which relations exist.',
  permission: VIEW,
  parameters,
  answer,
  run: ({ host }, { ctx, parameters: { most: limit = 60 }, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory) =>
      matrixOf(await readPairs(inventory, 'Application', { elements: true, most: MOST_PAIRS }), limit),
    ),
  tables: (view, { lang }) => tables('application', view, lang),
  picture: (view, { lang }) => picture('application', false, view, lang),
});
