import type { UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';

// A member about which people have decided belongs to the supplier of the decision, which is not new.
const NEW = `s.announced_at is null and exists (select from insightlens_supplier_mentions m where m.supplier_id = s.id and m.run_id = $1
  and not exists (select from insightlens_supplier_decisions d where d.member = m.member))`;
const NEW_TYPES = {
  name: 'insightlens-suppliers-new',
  text: `select distinct c.type from insightlens_suppliers s join insightlens_supplier_mentions n on n.supplier_id = s.id and n.run_id = $1
    join cards c on c.id = n.card_id where ${NEW}`,
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

/** The types of the cards that name suppliers of a run that were not announced: who sees one of the cards sees the supplier. */
export async function newSuppliers(uow: UnitOfWork, runId: string): Promise<{ types: string[]; needs: [] }[]> {
  return (await uow.query<{ type: string }>(NEW_TYPES, [runId])).map(({ type }) => ({ types: [type], needs: [] }));
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
