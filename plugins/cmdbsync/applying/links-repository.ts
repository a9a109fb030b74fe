import type { ModuleServices, RequestContext, UnitOfWork } from '@lintel/sdk';

/** A reference whose ends are cards. */
export interface OpenLink extends Record<string, unknown> {
  external_id: string;
  map_key: string;
  target_id: string;
  card_id: string;
  target_card: string;
  is_wanted: boolean;
  is_made: boolean;
  relation_id: string | null;
}

/** A result to be stored. */
export interface LinkResult {
  external_id: string;
  map_key: string;
  target_id: string;
  relation_id: string;
  is_made: boolean;
}

type Place = readonly [external_id: string, map_key: string, target_id: string];

const SAVE = {
  name: 'cmdbsync-links-save',
  text: `update cmdbsync_links l set relation_id = s.relation_id, is_made = s.is_made
    from jsonb_to_recordset($2::jsonb) as s(external_id text, map_key text, target_id text, relation_id uuid, is_made boolean)
    where l.mapping_id = $1 and l.external_id = s.external_id and l.map_key = s.map_key and l.target_id = s.target_id`,
};
const REMOVE = {
  name: 'cmdbsync-links-remove',
  text: `delete from cmdbsync_links l using jsonb_to_recordset($2::jsonb) as s(external_id text, map_key text, target_id text)
    where l.mapping_id = $1 and l.external_id = s.external_id and l.map_key = s.map_key and l.target_id = s.target_id`,
};
const UNWANTED = {
  name: 'cmdbsync-links-unwanted',
  text: `select l.external_id, l.map_key, l.target_id, i.card_id, l.relation_id, false as is_wanted,
      l.is_made and (l.map_key = any($3) or not exists (
        select from cmdbsync_links o where o.relation_id = l.relation_id and o.is_wanted)) as is_made
    from cmdbsync_links l join cmdbsync_identities i on i.mapping_id = l.mapping_id and i.external_id = l.external_id
    where l.mapping_id = $1 and not l.is_wanted order by l.external_id, l.map_key, l.target_id limit $2`,
};
const HAND_OVER = {
  name: 'cmdbsync-links-hand-over',
  text: `update cmdbsync_links o set is_made = true from cmdbsync_links l
    where l.mapping_id = $1 and not l.is_wanted and l.is_made and l.map_key <> all($2) and o.relation_id = l.relation_id and o.is_wanted`,
};
const BUMP = {
  name: 'cmdbsync-identities-bump',
  text: `update cmdbsync_identities i set pulled_version = case when i.pulled_version = v.version - 1 then v.version else i.pulled_version end,
      pushed_version = case when i.pushed_version = v.version - 1 then v.version else i.pushed_version end
    from jsonb_to_recordset($2::jsonb) as v(card_id uuid, version integer) where i.mapping_id = $1 and i.card_id = v.card_id`,
};
const UNRESOLVED = {
  name: 'cmdbsync-links-unresolved',
  text: 'select count(*)::int as n from cmdbsync_links where mapping_id = $1 and is_wanted and relation_id is null',
};

/** References that are to become relations or parents and whose target is a visible card, after a place in their order. */
export async function findOpenLinks(
  uow: UnitOfWork,
  { cards, db }: Pick<ModuleServices, 'cards' | 'db'>,
  ctx: RequestContext,
  mapping: { id: string; connection_id: string },
  after: Place | undefined,
  most: number,
): Promise<OpenLink[]> {
  const bindings = db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const [own, connection] = [bind(mapping.id), bind(mapping.connection_id)];
  const later = after ? `and (l.external_id, l.map_key, l.target_id) > (${after.map(bind).join(', ')})` : '';
  const text = `select l.external_id, l.map_key, l.target_id, i.card_id, t.card_id as target_card, l.is_wanted, l.is_made, l.relation_id
    from cmdbsync_links l
    join cmdbsync_identities i on i.mapping_id = l.mapping_id and i.external_id = l.external_id
    cross join lateral (select x.card_id from cmdbsync_identities x join cmdbsync_mappings m on m.id = x.mapping_id
      where m.connection_id = ${connection} and m.table_name = l.target_table and x.external_id = l.target_id and x.card_id is not null
      order by m.id limit 1) t
    join ${cards.visibleCards(ctx, bind)} c on c.id = i.card_id and c.status = 'ACTIVE'
    join ${cards.visibleCards(ctx, bind)} d on d.id = t.card_id and d.status = 'ACTIVE'
    where l.mapping_id = ${own} and l.is_wanted and l.relation_id is null ${later}
    order by l.external_id, l.map_key, l.target_id limit ${bind(most)}`;
  return await uow.query<OpenLink>({ name: 'cmdbsync-links-open', text }, bindings.values);
}

/**
 * References that are gone, with the relations that were there for them. A relation that another reference asks for too is handed over to that
 * one.
 * @param parents keys of the relation maps that make parents: their links have the card of the parent instead of a relation
 */
export async function findUnwantedLinks(
  uow: UnitOfWork,
  mappingId: string,
  parents: readonly string[],
  most: number,
): Promise<OpenLink[]> {
  await uow.query(HAND_OVER, [mappingId, parents]);
  return await uow.query<OpenLink>(UNWANTED, [mappingId, most, parents]);
}

export async function saveLinks(uow: UnitOfWork, mappingId: string, results: readonly LinkResult[]): Promise<void> {
  if (results.length > 0) await uow.query(SAVE, [mappingId, JSON.stringify(results)]);
}

export async function removeLinks(
  uow: UnitOfWork,
  mappingId: string,
  links: readonly Pick<OpenLink, 'external_id' | 'map_key' | 'target_id'>[],
): Promise<void> {
  await uow.query(REMOVE, [mappingId, JSON.stringify(links)]);
}

/** Notes the versions of cards after a change of their parents alone, which no comparison has to look at. */
export async function bumpVersions(
  uow: UnitOfWork,
  mappingId: string,
  versions: readonly { card_id: string; version: number }[],
): Promise<void> {
  if (versions.length > 0) await uow.query(BUMP, [mappingId, JSON.stringify(versions)]);
}

export async function countUnresolved(uow: UnitOfWork, mappingId: string): Promise<number> {
  return (await uow.query<{ n: number }>(UNRESOLVED, [mappingId]))[0]!.n;
}
