import type { ModuleServices, RequestContext, UnitOfWork } from '@lintel/sdk';

type Host = Pick<ModuleServices, 'cards' | 'db'>;

const IS_MATCHED = {
  name: 'cmdbsync-mapping-is-matched',
  text: `select exists (select from cmdbsync_identities where mapping_id = $1 and card_id is not null)
      or exists (select from cmdbsync_runs where mapping_id = $1 and is_full and is_read and state = 'done' and not dry_run) as yes`,
};

/**
 * Records whose cards have changed since they were compared with what is to be written, without those that the run has compared already.
 * @param isAll all linked records instead
 * @param after id of the last record
 */
export async function findDirty(
  uow: UnitOfWork,
  { cards, db }: Host,
  ctx: RequestContext,
  mappingId: string,
  runId: string,
  isAll: boolean,
  after: string | null,
  most: number,
): Promise<string[]> {
  const bindings = db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select i.external_id from cmdbsync_identities i join ${cards.visibleCards(ctx, bind)} c on c.id = i.card_id
    where i.mapping_id = ${bind(mappingId)} and i.external_id > ${bind(after ?? '')} and c.status = 'ACTIVE'
      and (${bind(isAll)}::boolean or i.pushed_version is distinct from c.version)
      and not exists (select from cmdbsync_records r where r.run_id = ${bind(runId)} and r.external_id = i.external_id)
    order by i.external_id limit ${bind(most)}`;
  const rows = await uow.query<{ external_id: string }>({ name: 'cmdbsync-identities-dirty', text }, bindings.values);
  return rows.map(({ external_id }) => external_id);
}

/** Whether the records of the other system were matched with the cards before, so that a card without a record has none there. */
export async function isMatched(uow: UnitOfWork, mappingId: string): Promise<boolean> {
  return (await uow.query<{ yes: boolean }>(IS_MATCHED, [mappingId]))[0]!.yes;
}

/**
 * Active cards of the type of a mapping, visible to the service account, that are linked to no record and may be none: no record of
 * the run names them, none is being created for them, and no record whose values are invalid matches them.
 * @param after id of the last card
 */
export async function findUnlinkedCards(
  uow: UnitOfWork,
  { cards, db }: Host,
  ctx: RequestContext,
  mapping: { id: string; card_type: string },
  runId: string,
  after: string | null,
  most: number,
): Promise<{ id: string; name: string }[]> {
  const bindings = db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const [own, run] = [bind(mapping.id), bind(runId)];
  const text = `with named as materialized (
      select r.card_id as id from cmdbsync_records r where r.run_id = ${run} and r.card_id is not null
      union all select (r.detail ->> 'link')::uuid from cmdbsync_records r where r.run_id = ${run} and r.detail ? 'link'
      union all select (p ->> 'card_id')::uuid from cmdbsync_records r, jsonb_array_elements(r.detail -> 'proposals') p
        where r.run_id = ${run} and r.action = 'create')
    select c.id, c.name from ${cards.visibleCards(ctx, bind)} c
    where c.type = ${bind(mapping.card_type)} and c.status = 'ACTIVE' ${after === null ? '' : `and c.id > ${bind(after)}::uuid`}
      and not exists (select from cmdbsync_identities i where i.mapping_id = ${own} and i.card_id = c.id)
      and not exists (select from named n where n.id = c.id)
      and not exists (select from cmdbsync_records r join cmdbsync_runs x on x.id = r.run_id
        where r.card_id = c.id and (r.state = 'sent' or r.action = 'error') and x.mapping_id = ${own} and not exists (
          select from cmdbsync_identities i where i.mapping_id = ${own} and i.external_id = r.external_id and i.card_id is not null))
    order by c.id limit ${bind(most)}`;
  return await uow.query<{ id: string; name: string }>({ name: 'cmdbsync-cards-unlinked', text }, bindings.values);
}
