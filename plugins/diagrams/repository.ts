import type { ListParams, ModuleServices, PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import type { CardShape, StoredPage } from './content/stored.js';
import type { DiagramFilters } from './schemas.js';

type Host = Pick<ModuleServices, 'db' | 'cards'>;
type Db = ModuleServices['db'];
type Row<T> = T & Record<string, unknown>;

/** The clock of versions and events, in milliseconds. */
export const NOW = "date_trunc('milliseconds', clock_timestamp())";
/** Id of no user. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

/** A diagram as lists show it. */
export interface DiagramRow {
  id: string;
  name: string;
  description: string | null;
  group_id: string | null;
  content_version: number;
  bytes: number;
  cell_count: number;
  page_count: number;
  card_count: number;
  is_favourite: boolean;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}

/** A diagram with its pages and all its cards, also hidden ones. */
export interface DiagramDetails extends DiagramRow {
  pages: StoredPage[];
  cards: { card_id: string; is_linked: boolean; shapes: number }[];
}

/** The locked row with which a change is compared. */
export interface LockedDiagram {
  id: string;
  name: string;
  description: string | null;
  group_id: string | null;
  content_version: number;
  version: number;
  sha256: string;
  /** Ids of all its cards, also hidden ones. */
  card_ids: string[];
  linked_ids: string[];
  /** Ids of the cards of its shapes. */
  shown_ids: string[];
}

/** The columns of a diagram that users write, with those for sorting and searching. */
export interface DiagramFields {
  name: string;
  name_key: string;
  description: string | null;
  group_id: string | null;
  search_text: string;
}

const CURRENT = 'left join diagrams_versions v on v.diagram_id = d.id and v.number = d.content_version';
const COMMON = `d.id, d.name, d.description, d.group_id, d.content_version, d.created_by, d.created_at, d.updated_at, d.version,
  v.bytes, v.cell_count, jsonb_array_length(v.pages) as page_count`;
const favourite = (user: string): string =>
  `exists (select from diagrams_favourites f where f.diagram_id = d.id and f.user_id = ${user}::uuid) as is_favourite`;
const SPEC = {
  table: 'diagrams_diagrams d',
  id: 'd.id',
  sorts: {
    name: { sql: 'd.name_key', type: 'text' },
    created_at: { sql: 'd.created_at', type: 'timestamptz' },
    updated_at: { sql: 'd.updated_at', type: 'timestamptz' },
  },
  defaultSort: 'updated_at',
  defaultDir: 'desc',
} as const;

const FIND = {
  name: 'diagrams-find',
  text: `select ${COMMON}, v.pages, ${favourite('$2')},
      coalesce((select jsonb_agg(jsonb_build_object('card_id', l.card_id, 'is_linked', l.is_linked, 'shapes', l.shapes) order by l.card_id)
        from diagrams_shown l where l.diagram_id = d.id), '[]') as cards
    from diagrams_diagrams d ${CURRENT} where d.id = $1`,
};
const CARDS = {
  name: 'diagrams-cards',
  text: `select array(select l.card_id::text from diagrams_shown l where l.diagram_id = d.id) as card_ids,
      array(select l.card_id::text from diagrams_shown l where l.diagram_id = d.id and l.is_linked) as linked_ids
    from diagrams_diagrams d where d.id = $1`,
};
// FOR NO KEY UPDATE, so that other transactions can insert references to it.
const LOCK = { name: 'diagrams-lock', text: 'select id from diagrams_diagrams where id = $1 for no key update' };
// A statement of its own: the one that waits for the lock does not see rows that were written meanwhile.
const LOCKED = {
  name: 'diagrams-locked',
  text: `select d.id, d.name, d.description, d.group_id, d.content_version, d.version, v.sha256,
      array(select l.card_id::text from diagrams_shown l where l.diagram_id = d.id order by l.card_id) as card_ids,
      array(select l.card_id::text from diagrams_shown l where l.diagram_id = d.id and l.is_linked order by l.card_id) as linked_ids,
      array(select l.card_id::text from diagrams_shown l where l.diagram_id = d.id and l.shapes > 0 order by l.card_id) as shown_ids
    from diagrams_diagrams d join diagrams_versions v on v.diagram_id = d.id and v.number = d.content_version where d.id = $1`,
};
const INSERT = {
  name: 'diagrams-insert',
  text: `insert into diagrams_diagrams (id, name, name_key, description, group_id, search_text, content_version, created_by, created_at, updated_at)
    select n.id, n.name, n.name_key, n.description, n.group_id, n.search_text, 1, $2, ${NOW}, ${NOW}
    from jsonb_to_recordset($1::jsonb) as n(id uuid, name text, name_key text, description text, group_id uuid, search_text text)`,
};
const CHANGE = {
  name: 'diagrams-change',
  text: `update diagrams_diagrams set name = $2, name_key = $3, description = $4, group_id = $5, search_text = $6, content_version = $7,
      version = version + 1, updated_at = greatest(updated_at + interval '1 ms', ${NOW}) where id = $1 returning version`,
};
const REMOVE = { name: 'diagrams-remove', text: 'delete from diagrams_diagrams where id = $1' };
const SHOW = {
  name: 'diagrams-show',
  text: `with given as (select * from unnest($2::uuid[], $3::boolean[], $4::integer[]) as g(card_id, is_linked, shapes)),
      gone as (delete from diagrams_shown where diagram_id = $1 and card_id not in (select card_id from given))
    insert into diagrams_shown (diagram_id, card_id, is_linked, shapes)
      select $1, g.card_id, g.is_linked, g.shapes from given g where exists (select from cards k where k.id = g.card_id)
    on conflict (diagram_id, card_id) do update set is_linked = excluded.is_linked, shapes = excluded.shapes
      where (diagrams_shown.is_linked, diagrams_shown.shapes) is distinct from (excluded.is_linked, excluded.shapes)`,
};
const SHOW_NEW = {
  name: 'diagrams-show-new',
  text: `insert into diagrams_shown (diagram_id, card_id, is_linked, shapes)
    select g.diagram_id, g.card_id, g.is_linked, g.shapes
    from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::integer[]) as g(diagram_id, card_id, is_linked, shapes)
    where exists (select from cards k where k.id = g.card_id)`,
};
const LINK = {
  name: 'diagrams-link',
  text: `with gone as (delete from diagrams_shown where diagram_id = $1 and is_linked and shapes = 0 and card_id <> all($2::uuid[])),
      unlinked as (update diagrams_shown set is_linked = false where diagram_id = $1 and is_linked and shapes > 0 and card_id <> all($2::uuid[]))
    insert into diagrams_shown (diagram_id, card_id, is_linked, shapes) select $1, unnest($2::uuid[]), true, 0
    on conflict (diagram_id, card_id) do update set is_linked = true where not diagrams_shown.is_linked`,
};
const FAVOUR = {
  name: 'diagrams-favour',
  text: 'insert into diagrams_favourites (user_id, diagram_id) values ($1, $2) on conflict do nothing returning diagram_id',
};
const DISFAVOUR = {
  name: 'diagrams-disfavour',
  text: 'delete from diagrams_favourites where user_id = $1 and diagram_id = $2 returning diagram_id',
};
const GROUP = { name: 'diagrams-group', text: 'select id from diagrams_groups where id = $1' };

/** The diagram, with whether it is a favourite of the user. */
export async function findDiagram(
  db: Pick<Db, 'query'>,
  id: string,
  user: string | undefined,
): Promise<DiagramDetails | undefined> {
  const [row] = await db.query<Row<Omit<DiagramDetails, 'card_count'>>>(FIND, [id, user ?? NO_USER]);
  return row && { ...row, card_count: row.cards.length };
}

/** Ids of the cards of a diagram, also of hidden ones; undefined if there is no such diagram. */
export async function cardsOf(db: Db, id: string): Promise<{ card_ids: string[]; linked_ids: string[] } | undefined> {
  return (await db.query<{ card_ids: string[]; linked_ids: string[] }>(CARDS, [id]))[0];
}

/** Whether a group exists. */
export async function groupExists(db: Db, id: string): Promise<boolean> {
  return (await db.query<{ id: string }>(GROUP, [id])).length > 0;
}

/** Locks a diagram until the transaction ends. */
export async function lockDiagram(uow: UnitOfWork, id: string): Promise<LockedDiagram | undefined> {
  if ((await uow.query(LOCK, [id])).length === 0) return undefined;
  return (await uow.query<Row<LockedDiagram>>(LOCKED, [id]))[0];
}

const valuesOf = (fields: DiagramFields): unknown[] => [
  fields.name,
  fields.name_key,
  fields.description,
  fields.group_id,
  fields.search_text,
];

/** Inserts diagrams; their first versions and cards follow. */
export async function insertDiagrams(
  uow: UnitOfWork,
  rows: readonly { id: string; fields: DiagramFields }[],
): Promise<void> {
  const json = JSON.stringify(rows.map(({ id, fields }) => ({ id, ...fields })));
  await uow.query(INSERT, [json, uow.ctx.actor?.id ?? null]);
}

/** @returns the new version */
export async function changeDiagram(
  uow: UnitOfWork,
  id: string,
  fields: DiagramFields,
  contentVersion: number,
): Promise<number> {
  return (await uow.query<{ version: number }>(CHANGE, [id, ...valuesOf(fields), contentVersion]))[0]!.version;
}

export async function deleteDiagram(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(REMOVE, [id]);
}

type Shapes = readonly Pick<CardShape, 'card'>[];

/** The cards of a diagram in the order of their ids, with their numbers of shapes. */
function counted(shapes: Shapes, linked: readonly string[]): { card: string; isLinked: boolean; shapes: number }[] {
  const counts = new Map<string, number>(linked.map((card) => [card, 0]));
  for (const { card } of shapes) counts.set(card, (counts.get(card) ?? 0) + 1);
  const isLinked = new Set(linked);
  return [...counts.keys()].sort().map((card) => ({ card, isLinked: isLinked.has(card), shapes: counts.get(card)! }));
}

/** Replaces the cards of a diagram. Shapes of a version may be of cards that were deleted since. */
export async function setCards(uow: UnitOfWork, id: string, shapes: Shapes, linked: readonly string[]): Promise<void> {
  const cards = counted(shapes, linked);
  await uow.query(SHOW, [
    id,
    cards.map(({ card }) => card),
    cards.map(({ isLinked }) => isLinked),
    cards.map((one) => one.shapes),
  ]);
}

/** Stores the cards of new diagrams. */
export async function addCards(
  uow: UnitOfWork,
  diagrams: readonly { id: string; shapes: Shapes; linked: readonly string[] }[],
): Promise<void> {
  const rows = diagrams.flatMap(({ id, shapes, linked }) => counted(shapes, linked).map((card) => ({ id, ...card })));
  if (rows.length === 0) return;
  await uow.query(SHOW_NEW, [
    rows.map(({ id }) => id),
    rows.map(({ card }) => card),
    rows.map(({ isLinked }) => isLinked),
    rows.map(({ shapes }) => shapes),
  ]);
}

/** Replaces the cards that are linked with a diagram; those of its shapes stay. */
export async function linkCards(uow: UnitOfWork, id: string, linked: readonly string[]): Promise<void> {
  await uow.query(LINK, [id, linked]);
}

/** @returns whether it was none before */
export async function addFavourite(uow: UnitOfWork, user: string, id: string): Promise<boolean> {
  return (await uow.query(FAVOUR, [user, id])).length > 0;
}

/** @returns whether it was one before */
export async function removeFavourite(uow: UnitOfWork, user: string, id: string): Promise<boolean> {
  return (await uow.query(DISFAVOUR, [user, id])).length > 0;
}

function conditions(host: Host, ctx: RequestContext, query: DiagramFilters, add: (value: unknown) => string): string[] {
  const where: string[] = [];
  const user = ctx.actor?.id ?? NO_USER;
  if (query.group_id === 'none') where.push('d.group_id is null');
  else if (query.group_id !== undefined) where.push(`d.group_id = any(${add(query.group_id.split(','))}::uuid[])`);
  if (query.card_id !== undefined) {
    const seen = host.cards.visibleSql(ctx, 'l.card_id', add);
    where.push(
      `exists (select from diagrams_shown l where l.diagram_id = d.id and l.card_id = ${add(query.card_id)}::uuid and ${seen})`,
    );
  }
  if (query.favourite !== undefined)
    where.push(
      `${query.favourite ? '' : 'not '}exists (select from diagrams_favourites f where f.diagram_id = d.id and f.user_id = ${add(user)}::uuid)`,
    );
  if (query.created_by !== undefined) where.push(`d.created_by = ${add(query.created_by)}::uuid`);
  if (query.updated_from !== undefined)
    where.push(`d.updated_at >= ${add(query.updated_from)}::date::timestamp at time zone 'UTC'`);
  if (query.updated_to !== undefined)
    where.push(`d.updated_at < (${add(query.updated_to)}::date + 1)::timestamp at time zone 'UTC'`);
  return where;
}

/** One page of diagrams. @param words of the search, folded */
export async function listDiagrams(
  host: Host,
  ctx: RequestContext,
  query: ListParams & DiagramFilters,
  words: readonly string[],
): Promise<PageResult<DiagramRow>> {
  const bindings = host.db.bindings();
  const add = (value: unknown): string => bindings.add(value);
  const where = conditions(host, ctx, query, add);
  for (const word of words) where.push(`d.search_text like ${add(`%${word}%`)}`);
  const { group_id, card_id, favourite: wanted, created_by, updated_from, updated_to } = query;
  const scope = JSON.stringify([group_id, card_id, wanted, created_by, updated_from, updated_to, words]);
  const columns = `${COMMON}, ${favourite(add(ctx.actor?.id ?? NO_USER))},
    (select count(*)::int from diagrams_shown l where l.diagram_id = d.id and ${host.cards.visibleSql(ctx, 'l.card_id', add)}) as card_count`;
  return await host.db.readPage<Row<DiagramRow>>({
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope,
    columns,
    joins: CURRENT,
  });
}
