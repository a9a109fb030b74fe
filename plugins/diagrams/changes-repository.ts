import type { ModuleServices, UnitOfWork } from '@lintel/sdk';

/** Cards of one type that have changed in a diagram. */
export interface ChangedCards extends Record<string, unknown> {
  diagram_id: string;
  name: string;
  card_ids: string[];
}

const IS_SHOWN = { name: 'diagrams-is-shown', text: 'select 1 from diagrams_shown where card_id = $1 limit 1' };
const NOTE = {
  name: 'diagrams-note',
  text: `with waiting as (select 1 from diagrams_changed where since > clock_timestamp() - interval '1 minute' limit 1),
      noted as (insert into diagrams_changed (diagram_id, card_id, card_type)
        select l.diagram_id, l.card_id, $2 from diagrams_shown l where l.card_id = $1 on conflict do nothing returning 1)
    select exists (select from noted) and not exists (select from waiting) as is_first`,
};
const TAKE = {
  name: 'diagrams-take-changed',
  text: `with next as (select c.diagram_id, c.card_type from diagrams_changed c group by c.diagram_id, c.card_type order by 1, 2 limit $1),
      taken as (delete from diagrams_changed c using next n where c.diagram_id = n.diagram_id and c.card_type = n.card_type
        returning c.diagram_id, c.card_type, c.card_id)
    select t.diagram_id, d.name, (array_agg(t.card_id::text order by t.card_id))[1:$2] as card_ids
    from taken t join diagrams_diagrams d on d.id = t.diagram_id group by t.diagram_id, t.card_type, d.name order by t.diagram_id, t.card_type`,
};
const OF_CARDS = {
  name: 'diagrams-of-cards',
  text: `select l.diagram_id, d.name, (array_agg(l.card_id::text order by l.card_id))[1:$3] as card_ids
    from diagrams_shown l join diagrams_diagrams d on d.id = l.diagram_id join cards k on k.id = l.card_id
    where l.card_id = any($1::uuid[]) group by l.diagram_id, k.type, d.name order by l.diagram_id, k.type limit $2`,
};

/** Whether any diagram has a card. */
export async function isShown(db: ModuleServices['db'], card: string): Promise<boolean> {
  return (await db.query(IS_SHOWN, [card])).length > 0;
}

/** Notes that a card has changed, for all its diagrams. @returns whether no change was waiting to be told */
export async function noteChange(uow: UnitOfWork, card: string, type: string): Promise<boolean> {
  return (await uow.query<{ is_first: boolean }>(NOTE, [card, type]))[0]!.is_first;
}

/** Takes the changes of up to so many diagrams. @param most cards of one of them */
export async function takeChanges(uow: UnitOfWork, diagrams: number, most: number): Promise<ChangedCards[]> {
  return await uow.query<ChangedCards>(TAKE, [diagrams, most]);
}

/** The diagrams of cards, and which of the cards each has; cards of different types apart. */
export async function diagramsOf(
  uow: UnitOfWork,
  cards: readonly string[],
  diagrams: number,
  most: number,
): Promise<ChangedCards[]> {
  return await uow.query<ChangedCards>(OF_CARDS, [cards, diagrams, most]);
}
