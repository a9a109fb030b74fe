import type { ModuleServices, RequestContext } from '@lintel/sdk';
import type { Settings } from './settings.js';

/** The links of decisions with those of these cards that the caller may see, by number; of each decision one revision. */
export async function listOfCards(
  host: ModuleServices<Settings>,
  ctx: RequestContext,
  cardIds: readonly string[],
  limit: number,
): Promise<{ id: string; number: number; title: string; status: string; card_id: string }[]> {
  const bindings = host.db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select distinct on (d.number, c.card_id) d.id, d.number, d.title, d.status, c.card_id
    from adr_cards c join adr_decisions d on d.id = c.adr_id
    where c.card_id = any(${bind(cardIds)}::uuid[]) and ${host.cards.visibleSql(ctx, 'c.card_id', bind)}
      and d.id = (select o.id from adr_decisions o where o.number = d.number order by o.status = 'signed' desc, o.revision desc limit 1)
    order by d.number, c.card_id limit ${bind(limit)}`;
  return await host.db.query({ name: 'adr-of-cards', text }, bindings.values);
}
