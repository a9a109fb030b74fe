import type { UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';

// A member about which people have decided belongs to the supplier of the decision, which is not new.
const NEW = `s.announced_at is null and exists (select from insightlens_supplier_mentions m where m.supplier_id = s.id and m.run_id = $1
  and not exists (select from insightlens_supplier_decisions d where d.member = m.member))`;
const HAS_NEW = {
  name: 'insightlens-suppliers-has-new',
  text: `select exists (select from insightlens_suppliers s where ${NEW}) as found`,
};
// Locked in the order of ids, as by those who decide about suppliers.
const ANNOUNCE = {
  name: 'insightlens-suppliers-announce',
  text: `with picked as (
      select s.id from insightlens_suppliers s where ${NEW} order by s.id limit $2 for no key update
    ), marked as (
      update insightlens_suppliers s set announced_at = ${NOW} from picked p where s.id = p.id
    )
    select p.id, array(select distinct m.card_id::text from insightlens_supplier_mentions m where m.run_id = $1 and m.supplier_id = p.id
      order by 1 limit $3) as card_ids from picked p order by p.id`,
};

/** Whether a run has suppliers that were not announced. */
export async function hasNewSuppliers(uow: UnitOfWork, runId: string): Promise<boolean> {
  return (await uow.query<{ found: boolean }>(HAS_NEW, [runId]))[0]!.found;
}

/** Marks suppliers of a run as announced. @returns those that were not, at most `limit`, with at most `cards` cards that name each */
export async function announceSuppliers(
  uow: UnitOfWork,
  runId: string,
  limit: number,
  cards: number,
): Promise<{ id: string; card_ids: string[] }[]> {
  return await uow.query(ANNOUNCE, [runId, limit, cards]);
}
