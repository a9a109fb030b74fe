import type { CardRef } from '@lintel/sdk';
import type { Database } from '../db/database.js';

const CARDS = {
  name: 'access-cards',
  text: `select id, type, name, status, path_ids from cards where id = any($1::uuid[])`,
};

/** A card as far as it decides about access: with its place, ids from the root down to its parent. */
export interface PlacedCard extends CardRef {
  path_ids: string[];
}

/** Cards by their ids; those that are none are absent. @param on a unit of work, to see what it has done so far */
export async function readPlacedCards(on: Pick<Database, 'query'>, ids: readonly string[]): Promise<PlacedCard[]> {
  return await on.query<PlacedCard & Record<string, unknown>>(CARDS, [ids]);
}
