import {
  TimeSlice,
  type ListParams,
  type ModuleServices,
  type PageResult,
  type RequestContext,
  type UnitOfWork,
} from '@lintel/sdk';
import type { CardLink, CardShape, HeldCell, StoredOwners, StoredPage, StoredRemoval } from './content/stored.js';
import { NOW } from './repository.js';

type Db = ModuleServices['db'];
type Row<T> = T & Record<string, unknown>;

/** A version as lists show it. */
export interface VersionRow {
  number: number;
  bytes: number;
  cell_count: number;
  sha256: string;
  pages: StoredPage[];
  removed: StoredRemoval[];
  restored_from: number | null;
  created_by: string | null;
  created_at: Date;
}

/** The shapes of cards of a version, and the edges between them. */
export interface VersionCards extends StoredOwners {
  name: string;
  /** Of the diagram. */
  version: number;
  number: number;
  shapes: CardShape[];
  held: HeldCell[];
  links: CardLink[];
  pages: StoredPage[];
}

/** A version with its file. */
export interface VersionContent extends VersionCards {
  content: Buffer;
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
  held: readonly HeldCell[];
  links: readonly CardLink[];
  removed: readonly StoredRemoval[];
}

const COLUMNS =
  'v.number, v.bytes, v.cell_count, v.sha256, v.pages, v.removed, v.restored_from, v.created_by, v.created_at';
const SPEC = {
  table: 'diagrams_versions v',
  id: 'v.id',
  sorts: { number: { sql: 'v.number', type: 'integer' } },
  defaultSort: 'number',
  defaultDir: 'desc',
} as const;

const FIND = {
  name: 'diagrams-version',
  text: `select ${COLUMNS} from diagrams_versions v where v.diagram_id = $1 and v.number = $2`,
};
const CARDS = 'd.name, d.version, v.number, v.shapes, v.held, v.links, v.pages';
const AT = `from diagrams_diagrams d join diagrams_versions v on v.diagram_id = d.id
  where d.id = $1 and v.number = coalesce($2::integer, d.content_version)`;
const SHOWN = { name: 'diagrams-version-cards', text: `select ${CARDS} ${AT}` };
const CONTENT = { name: 'diagrams-version-content', text: `select ${CARDS}, v.content, d.mask_key as key ${AT}` };
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
];
/** Inserts a number of versions: bytes are sent as they are only as parameters of their own. */
function insertOf(count: number): { name: string; text: string } {
  const columns = STORED.map(([column]) => column).join(', ');
  const rows = Array.from(
    { length: count },
    (_, row) => `(${STORED.map(([, type], i) => `$${row * STORED.length + i + 2}::${type}`).join(', ')})`,
  );
  const text = `insert into diagrams_versions (${columns}, created_by, created_at)
    select ${columns}, $1::uuid, ${NOW} from (values ${rows.join(', ')}) as v(${columns})`;
  return { name: `diagrams-versions-insert-${count}`, text };
}
const COPY = {
  name: 'diagrams-version-copy',
  text: `insert into diagrams_versions (diagram_id, number, content, sha256, bytes, cell_count, pages, shapes, links, removed, held, restored_from, created_by, created_at)
    select v.diagram_id, $3, v.content, v.sha256, v.bytes, v.cell_count, v.pages, v.shapes, v.links, v.removed, $5::jsonb, v.number, $4, ${NOW}
    from diagrams_versions v where v.diagram_id = $1 and v.number = $2 returning shapes, sha256`,
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

export async function findVersion(db: Db, id: string, number: number): Promise<VersionRow | undefined> {
  return (await db.query<Row<VersionRow>>(FIND, [id, number]))[0];
}

/** The cards of a version. @param number default: the current one */
export async function findVersionCards(db: Db, id: string, number?: number): Promise<VersionCards | undefined> {
  return (await db.query<Row<VersionCards>>(SHOWN, [id, number ?? null]))[0];
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
    const { content, sha256, bytes, cells, pages, shapes, links, removed, held } = version;
    values.push(id, number, Buffer.from(content.buffer, content.byteOffset, content.byteLength), sha256, bytes, cells);
    for (const part of [pages, shapes, links, removed, held]) {
      if (slice.isOver) await slice.next();
      values.push(JSON.stringify(part));
    }
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
 * @param held the records of the new version
 * @returns the shapes of the version; undefined if there is no such version
 */
export async function copyVersion(
  uow: UnitOfWork,
  id: string,
  from: number,
  to: number,
  held: readonly HeldCell[],
): Promise<{ shapes: CardShape[]; sha256: string } | undefined> {
  const rows = await uow.query<Row<{ shapes: CardShape[]; sha256: string }>>(COPY, [
    id,
    from,
    to,
    uow.ctx.actor?.id ?? null,
    JSON.stringify(held),
  ]);
  return rows[0];
}
