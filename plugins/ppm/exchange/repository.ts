import { jsonBatches, type UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import { ITEM_FIELDS, type ItemValues } from './compare.js';
import type { WantedLink } from './compare-links.js';

/** A row to be written. */
export interface WrittenItem extends ItemValues {
  id: string;
  position: number | null;
  search_text: string;
}

const RECORD = `id uuid, parent_id uuid, position bigint, title text, description text, is_milestone boolean, start_date date, end_date date,
  duration_days integer, constraint_type text, constraint_date date, completion numeric, planned_cost numeric, planned_currency text,
  external_id text, search_text text`;
const VALUES = [...ITEM_FIELDS, 'search_text'];

/** Creates items, with their positions. */
export async function insertItems(uow: UnitOfWork, cardId: string, items: readonly WrittenItem[]): Promise<void> {
  const columns = ['position', ...VALUES];
  const statement = {
    name: 'ppm-import-items-add',
    text: `insert into ppm_wbs (id, version, created_by, created_at, updated_at, card_id, ${columns.join(', ')})
        select i.id, 1, $2, ${NOW}, ${NOW}, $1, ${columns.map((column) => `i.${column}`).join(', ')}
        from jsonb_to_recordset($3::jsonb) as i(${RECORD})`,
  };
  for await (const batch of jsonBatches(items)) await uow.query(statement, [cardId, uow.ctx.actor?.id ?? null, batch]);
}

/** Takes external ids away from items that are about to get others, so that items can exchange theirs. */
export async function freeExternals(uow: UnitOfWork, cardId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    {
      name: 'ppm-import-externals-free',
      text: 'update ppm_wbs set external_id = null where card_id = $1 and id = any($2::uuid[])',
    },
    [cardId, ids],
  );
}

/** Changes items: a new version of each. A null position leaves it. */
export async function updateItems(uow: UnitOfWork, cardId: string, items: readonly WrittenItem[]): Promise<void> {
  const statement = {
    name: 'ppm-import-items-change',
    text: `update ppm_wbs w set version = w.version + 1, updated_at = greatest(w.updated_at + interval '1 ms', ${NOW}),
          position = coalesce(i.position, w.position), ${VALUES.map((column) => `${column} = i.${column}`).join(', ')}
        from jsonb_to_recordset($2::jsonb) as i(${RECORD}) where w.id = i.id and w.card_id = $1`,
  };
  for await (const batch of jsonBatches(items)) await uow.query(statement, [cardId, batch]);
}

/** Gives items other positions, without a new version. */
export async function renumber(
  uow: UnitOfWork,
  cardId: string,
  positions: readonly (readonly [string, number])[],
): Promise<void> {
  if (positions.length === 0) return;
  await uow.query(
    {
      name: 'ppm-import-renumber',
      text: `update ppm_wbs w set position = i.position from unnest($2::uuid[], $3::bigint[]) as i(id, position)
        where w.id = i.id and w.card_id = $1`,
    },
    [cardId, positions.map(([id]) => id), positions.map(([, position]) => position)],
  );
}

/** Deletes items, with their dependencies. */
export async function deleteItems(uow: UnitOfWork, cardId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    { name: 'ppm-import-items-remove', text: 'delete from ppm_wbs where card_id = $1 and id = any($2::uuid[])' },
    [cardId, ids],
  );
}

/** Notes the completion of items for today (UTC). @param items with their completion in percent */
export async function noteProgress(
  uow: UnitOfWork,
  items: readonly { id: string; completion: number }[],
): Promise<void> {
  if (items.length === 0) return;
  await uow.query(
    {
      name: 'ppm-import-progress',
      text: `insert into ppm_progress (wbs_id, day, completion)
        select i.id, (statement_timestamp() at time zone 'UTC')::date, i.completion from unnest($1::uuid[], $2::numeric[]) as i(id, completion)
        on conflict (wbs_id, day) do update set completion = excluded.completion`,
    },
    [items.map(({ id }) => id), items.map(({ completion }) => completion)],
  );
}

/** Creates dependencies and changes others. */
export async function writeLinks(uow: UnitOfWork, cardId: string, links: readonly WantedLink[]): Promise<void> {
  const statement = {
    name: 'ppm-import-links',
    text: `insert into ppm_dependencies (id, version, created_by, created_at, updated_at, card_id, predecessor_id, successor_id, type, lag_days)
        select i.id, 1, $2, ${NOW}, ${NOW}, $1, i.predecessor_id, i.successor_id, i.type, i.lag_days
        from jsonb_to_recordset($3::jsonb) as i(id uuid, predecessor_id uuid, successor_id uuid, type text, lag_days integer)
        on conflict (id) do update set type = excluded.type, lag_days = excluded.lag_days, version = ppm_dependencies.version + 1,
          updated_at = greatest(ppm_dependencies.updated_at + interval '1 ms', excluded.updated_at)`,
  };
  for await (const batch of jsonBatches(links, ({ stored: _stored, line: _line, ...link }) => link))
    await uow.query(statement, [cardId, uow.ctx.actor?.id ?? null, batch]);
}

/** Deletes dependencies. */
export async function deleteLinks(uow: UnitOfWork, cardId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    {
      name: 'ppm-import-links-remove',
      text: 'delete from ppm_dependencies where card_id = $1 and id = any($2::uuid[])',
    },
    [cardId, ids],
  );
}
