import { HIDDEN_CARD, withHiddenCards, withoutHiddenCards, type CardPort, type RequestContext } from '@lintel/sdk';
import type { Condition } from './filter.js';

/** The part of `AccessGate` that is needed. */
export type HiddenCards = Pick<CardPort, 'hidden' | 'namesCards'>;

/** Fields of events with ids of users. Any other one may name a card: what an unknown event contains is not known. */
const OF_USERS = /^actor\.id$|(^|[._])(user|owner|actor|author|assignee)_id$|_by$/;

/**
 * Webhooks without the ids of cards hidden from the reader in the values of their conditions. An id of no card is treated in the same way,
 * because a difference would tell which ids are hidden cards.
 */
export async function withoutHiddenConditions<R extends { conditions: readonly Condition[] }>(
  cards: HiddenCards,
  ctx: RequestContext,
  rows: readonly R[],
): Promise<R[]> {
  const values = await withoutHiddenCards(
    cards,
    ctx,
    rows.flatMap(({ conditions }) => conditions.map(({ field, value }) => ({ field, value }))),
    (name, { field }) => name === 'value' && !OF_USERS.test(field),
  );
  let at = 0;
  return rows.map((row) => ({
    ...row,
    conditions: row.conditions.map((condition) => {
      const { value } = values[at++]!;
      return value === undefined ? condition : { ...condition, value };
    }),
  }));
}

const isMasked = (value: unknown): boolean => [value].flat().includes(HIDDEN_CARD);

/** Conditions that a caller sends, with the ids that the caller was not shown. */
export const withHiddenConditions = (stored: readonly Condition[], sent: readonly Condition[]): Condition[] =>
  sent.map((condition) => {
    if (condition.value === undefined) return condition;
    const { value } = condition;
    if (!isMasked(value)) return condition;
    const known = stored
      .filter(({ field, op }) => field === condition.field && op === condition.op)
      .map((one) => withHiddenCards({ value: one.value }, { value }).value)
      .find((one) => !isMasked(one));
    return { ...condition, value: known ?? value };
  });
