import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { nameKey } from '../../../foundation/text.js';
import { opaque } from '../lock-repository.js';
import type { CardState } from '../types.js';

/**
 * Cards with and without a parent are separate queries: no index supports IS NOT DISTINCT FROM, and a skip scan over
 * the parents takes time for each of them. `type || ''` prevents the use of an index on the type: before the first
 * ANALYZE the planner would underestimate its rows.
 */
const TAKEN = {
  name: 'cards-names-taken',
  text: `with w as materialized (select * from unnest(${opaque('$1::text[]')}, ${opaque('$2::uuid[]')}, ${opaque('$3::text[]')}) with ordinality as w(type, parent_id, name_key, n))
    select w.n::int as n, c.id, c.external_id from w join cards c on c.type || '' = w.type and c.parent_id = w.parent_id and c.name_key = w.name_key and c.status = 'ACTIVE'
    union all select w.n::int, c.id, c.external_id from w join cards c on c.type || '' = w.type and c.parent_id is null and c.name_key = w.name_key and c.status = 'ACTIVE'
    where w.parent_id is null`,
};

/** The card that has the requested value. */
export interface Holder {
  id: string;
  external_id: string | null;
}

/** Which of the requested names active siblings already have: the other card, by position in the list. */
export async function namesTaken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, Holder>> {
  const rows = await uow.query<Holder & { n: number }>(TAKEN, [
    cards.map((c) => c.type),
    cards.map((c) => c.parent_id),
    cards.map((c) => nameKey(c.name)),
  ]);
  return new Map(rows.map((r) => [r.n - 1, r]));
}

const KEYS_TAKEN = {
  name: 'cards-external-ids-taken',
  text: `select w.n::int as n, c.id, c.external_id from unnest(${opaque('$1::text[]')}, ${opaque('$2::text[]')}) with ordinality as w(type, external_id, n)
    join cards c using (type, external_id)`,
};

/** Which of the requested external ids other cards already have: the other card, by position in the list. */
export async function externalIdsTaken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, Holder>> {
  const rows = await uow.query<Holder & { n: number }>(KEYS_TAKEN, [
    cards.map((c) => c.type),
    cards.map((c) => c.external_id),
  ]);
  return new Map(rows.map((r) => [r.n - 1, r]));
}
