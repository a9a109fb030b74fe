import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Problem } from '../../foundation/errors.js';
import type { CardBounds, CardItem, CardLimits } from '../../settings/index.js';

/** A table of items of cards, and its column of the user who added one. */
export interface CardItems {
  item: CardItem;
  table: string;
  author: string;
}

/** The placeholders in an insert. */
interface Places {
  card: string;
  author: string;
  most: string;
  share: string;
}

const fewer = (from: string, bound: string): string =>
  `(select count(*) from (select from ${from} limit ${bound}) held) < ${bound}`;

/** Condition of an insert for a card that is locked: neither the card nor the user has reached the bound. */
export const hasRoom = ({ table, author }: CardItems, places: Places): string =>
  `${fewer(`${table} where card_id = ${places.card}`, places.most)}
    and ${fewer(`${table} where card_id = ${places.card} and ${author} = ${places.author}`, places.share)}`;

/** The problem of an insert that found no room: which of the bounds it was is read only then. */
export async function noRoom(
  uow: UnitOfWork,
  { item, table }: CardItems,
  cardId: string,
  limits: CardLimits,
  bounds: CardBounds,
): Promise<Problem> {
  const [row] = await uow.query<{ fits: boolean }>(
    { name: `${table}-room`, text: `select ${fewer(`${table} where card_id = $1`, '$2')} as fits` },
    [cardId, bounds.most],
  );
  return row!.fits ? limits.shareReached(item, bounds) : limits.reached(item);
}
