import {
  TimeSlice,
  type ListParams,
  type ModuleServices,
  type PageResult,
  type RequestContext,
  type UnitOfWork,
} from '@lintel/sdk';
import type { CardShape, StoredPage, StoredRemoval } from './content/stored.js';
import { NOW } from './repository.js';

type Db = ModuleServices['db'];
type Row<T> = T & Record<string, unknown>;

/** A version as lists show it. */
export interface VersionRow {
  number: number;
  bytes: number;
  cell_count: number;
  sha256: string;
  page_count: number;
  removed_count: number;
  restored_from: number | null;
  created_by: string | null;
  created_at: Date;
}

/** A version with its pages and what was removed from its file. */
export interface VersionDetails extends VersionRow {
  pages: StoredPage[];
  removed: StoredRemoval[];
  /** The cards of its shapes and records, each once. */
  cards: string[];
}

/** A version, without the lists of its cells. */
export interface VersionCards {
  name: string;
  /** Of the diagram. */
  version: number;
  number: number;
  pages: StoredPage[];
  /** The cards of its shapes and records, each once. */
  cards: string[];
  /** Whether a shape has the colour of the type of its card. */
  is_coloured: boolean;
}

/** A version with the shapes of cards. */
export interface VersionShapes extends VersionCards {
  shapes: CardShape[];
}

/** A version with its file, and with its records as JSON that only the worker parses. */
export interface VersionContent extends VersionCards {
  content: Buffer;
  shapes: string;
  held: string;
  /** Those of its cards that do not exist any more. */
  gone: string[];
  /** The secret of the diagram for the ids of masked cells. */
  key: string;
}

/** A version to be stored. */
export interface NewVersion {
  content: Uint8Array;
  sha256: string;
  bytes: number;
  cells: number;
  pages: readonly StoredPage[];
  shapes: readonly CardShape[];
  /** JSON. */
  held: string;
  /** JSON. */
  links: string;
  /** Whether the cards of the links are known; else they count as links of all cards of the version. */
  isExact: boolean;
  removed: readonly StoredRemoval[];
}

const COLUMNS = `v.number, v.bytes, v.cell_count, v.sha256, v.restored_from, v.created_by, v.created_at,
  jsonb_array_length(v.pages) as page_count, jsonb_array_length(v.removed) as removed_count`;
/** The other columns have thousands of entries, which are read only where they are needed. */
const CARDS_OF = `array_to_json(array(select s.card from jsonb_to_recordset(v.shapes) as s(card text)
  union select jsonb_array_elements_text(h.cards) from jsonb_to_recordset(v.held) as h(cards jsonb) order by 1)) as cards`;
const SPEC = {
  table: 'diagrams_versions v',
  id: 'v.id',
  sorts: { number: { sql: 'v.number', type: 'integer' } },
  defaultSort: 'number',
  defaultDir: 'desc',
} as const;

const FIND = {
  name: 'diagrams-version',
  text: `select ${COLUMNS}, v.pages, v.removed, ${CARDS_OF} from diagrams_versions v where v.diagram_id = $1 and v.number = $2`,
};
const CARDS = `d.name, d.version, v.number, v.pages, ${CARDS_OF},
  exists (select from jsonb_to_recordset(v.shapes) as c(color text) where c.color is not null) as is_coloured`;
const AT = `from diagrams_diagrams d join diagrams_versions v on v.diagram_id = d.id
  where d.id = $1 and v.number = coalesce($2::integer, d.content_version)`;
const SHOWN = { name: 'diagrams-version-cards', text: `select ${CARDS} ${AT}` };
const SHAPES = { name: 'diagrams-version-shapes', text: `select ${CARDS}, v.shapes ${AT}` };
const CONTENT = {
  name: 'diagrams-version-content',
  text: `select n.*, array(select g from json_array_elements_text(n.cards) as g where not exists (select from cards k where k.id = g::uuid)) as gone
    from (select ${CARDS}, v.content, v.shapes::text, v.held::text, d.mask_key as key ${AT}) n`,
};
const HELD_OF = {
  name: 'diagrams-version-held-of',
  text: `select h.page, h.at from diagrams_versions v cross join jsonb_to_recordset(v.held) as h(page integer, at integer, cards jsonb)
    where v.diagram_id = $1 and v.number = $2 and h.cards ?| $3::text[]`,
};
const STORED: readonly [column: string, type: string][] = [
  ['diagram_id', 'uuid'],
  ['number', 'integer'],
  ['content', 'bytea'],
  ['sha256', 'text'],
  ['bytes', 'integer'],
  ['cell_count', 'integer'],
  ['pages', 'jsonb'],
  ['shapes', 'jsonb'],
  ['links', 'jsonb'],
  ['removed', 'jsonb'],
  ['held', 'jsonb'],
  ['is_exact', 'boolean'],
];
/** Of a link of a file with cards that were not accepted, it is not known whether it belongs to one of those. */
const LINKS_STORED = `case when is_exact then links else
    (select coalesce(jsonb_agg(l.link || '{"cards": null}' order by l.n), '[]') from jsonb_array_elements(links) with ordinality as l(link, n)) end`;
/** Inserts a number of versions: bytes are sent as they are only as parameters of their own. */
function insertOf(count: number): { name: string; text: string } {
  const columns = STORED.map(([column]) => column).join(', ');
  const rows = Array.from(
    { length: count },
    (_, row) => `(${STORED.map(([, type], i) => `$${row * STORED.length + i + 2}::${type}`).join(', ')})`,
  );
  const stored = STORED.flatMap(([column]) => (column === 'is_exact' ? [] : [column]));
  const selected = stored.map((column) => (column === 'links' ? LINKS_STORED : column));
  const text = `insert into diagrams_versions (${stored.join(', ')}, created_by, created_at)
    select ${selected.join(', ')}, $1::uuid, ${NOW} from (values ${rows.join(', ')}) as v(${columns})`;
  return { name: `diagrams-versions-insert-${count}`, text };
}
const COPY = {
  name: 'diagrams-version-copy',
  text: `insert into diagrams_versions (diagram_id, number, content, sha256, bytes, cell_count, pages, shapes, links, removed, held, restored_from, created_by, created_at)
    select v.diagram_id, $3, v.content, v.sha256, v.bytes, v.cell_count, v.pages, v.shapes, v.links, v.removed, $5::jsonb, v.number, $4, ${NOW}
    from diagrams_versions v where v.diagram_id = $1 and v.number = $2
    returning array(select s.card from jsonb_to_recordset(shapes) as s(card text)) as cards`,
};

const PRUNE = {
  name: 'diagrams-versions-prune',
  text: 'delete from diagrams_versions where diagram_id = $1 and number <= $2 returning number',
};

/** Deletes versions up to a number, which is less than that of the current one. @returns how many */
export async function pruneVersions(uow: UnitOfWork, id: string, upTo: number): Promise<number> {
  return (await uow.query(PRUNE, [id, upTo])).length;
}

/** The number of shapes on each page of a version, by index, whose cards the caller sees. */
export async function countShownShapes(
  host: Pick<ModuleServices, 'db' | 'cards'>,
  ctx: RequestContext,
  id: string,
  number: number,
): Promise<Map<number, number>> {
  const bindings = host.db.bindings();
  const add = (value: unknown): string => bindings.add(value);
  const text = `select s.page, count(*)::int as n
    from diagrams_versions v cross join jsonb_to_recordset(v.shapes) as s(page integer, card uuid) join cards k on k.id = s.card
    where v.diagram_id = ${add(id)} and v.number = ${add(number)} and ${host.cards.visibleSql(ctx, 's.card', add)} group by s.page`;
  const rows = await host.db.query<{ page: number; n: number }>(
    { name: 'diagrams-shapes-shown', text },
    bindings.values,
  );
  return new Map(rows.map(({ page, n }) => [page, n]));
}

/** One page of the versions of a diagram, the latest first. */
export async function listVersions(db: Db, id: string, params: ListParams): Promise<PageResult<VersionRow>> {
  const bindings = db.bindings();
  const where = [`v.diagram_id = ${bindings.add(id)}::uuid`];
  return await db.readPage<Row<VersionRow>>({
    spec: SPEC,
    params,
    where,
    bindings,
    scope: id,
    columns: COLUMNS,
  });
}

export async function findVersion(db: Db, id: string, number: number): Promise<VersionDetails | undefined> {
  return (await db.query<Row<VersionDetails>>(FIND, [id, number]))[0];
}

/** The cards of a version. @param number default: the current one */
export async function findVersionCards(db: Db, id: string, number?: number): Promise<VersionCards | undefined> {
  return (await db.query<Row<VersionCards>>(SHOWN, [id, number ?? null]))[0];
}

/** The current version with the shapes of cards. */
export async function findShapes(db: Db, id: string): Promise<VersionShapes | undefined> {
  return (await db.query<Row<VersionShapes>>(SHAPES, [id, null]))[0];
}

/** The cells of a version that are recorded as content of one of these cards. */
export async function findHeldOf(
  db: Db,
  id: string,
  number: number,
  cards: readonly string[],
): Promise<{ page: number; at: number }[]> {
  return cards.length === 0 ? [] : await db.query<{ page: number; at: number }>(HELD_OF, [id, number, cards]);
}

/** A version with its file. @param number default: the current one */
export async function findContent(db: Db, id: string, number?: number): Promise<VersionContent | undefined> {
  return (await db.query<Row<VersionContent>>(CONTENT, [id, number ?? null]))[0];
}

interface NumberedVersion {
  id: string;
  number: number;
  version: NewVersion;
}

async function insertVersions(uow: UnitOfWork, rows: readonly NumberedVersion[]): Promise<void> {
  const slice = new TimeSlice();
  const values: unknown[] = [uow.ctx.actor?.id ?? null];
  for (const { id, number, version } of rows) {
    const { content, sha256, bytes, cells, pages, shapes, links, removed, held, isExact } = version;
    if (slice.isOver) await slice.next();
    values.push(id, number, Buffer.from(content.buffer, content.byteOffset, content.byteLength), sha256, bytes, cells);
    values.push(JSON.stringify(pages), JSON.stringify(shapes), links, JSON.stringify(removed), held, isExact);
  }
  await uow.query(insertOf(rows.length), values);
}

/** Stores a version. @param id of the diagram */
export async function insertVersion(uow: UnitOfWork, id: string, number: number, version: NewVersion): Promise<void> {
  await insertVersions(uow, [{ id, number, version }]);
}

/** Stores the first versions of diagrams, by one statement. */
export async function insertFirstVersions(
  uow: UnitOfWork,
  rows: readonly { id: string; version: NewVersion }[],
): Promise<void> {
  await insertVersions(
    uow,
    rows.map(({ id, version }) => ({ id, number: 1, version })),
  );
}

/**
 * Stores the content of a version again, as another version.
 * @param held the records of the new version, as JSON
 * @returns the card of each shape of the version; undefined if there is no such version
 */
export async function copyVersion(
  uow: UnitOfWork,
  id: string,
  from: number,
  to: number,
  held: string,
): Promise<string[] | undefined> {
  const rows = await uow.query<{ cards: string[] }>(COPY, [id, from, to, uow.ctx.actor?.id ?? null, held]);
  return rows[0]?.cards;
}
