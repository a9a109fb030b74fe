import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../../foundation/db/database.js';
import { holdsAnywhere, lacks, relationlessTypes, RELATIONS, stakeholdersHidden } from '../../access/index.js';
import { readChildren, readNames, readRelations } from './expansions-repository.js';
import type { Reader } from './view.js';

/** The expansions of cards. */
export const CARD_EXPANSIONS = ['relations', 'parent', 'children', 'stakeholders'] as const;
export type CardExpansion = (typeof CARD_EXPANSIONS)[number];
export type CardExpansions = ReadonlySet<CardExpansion>;

/**
 * Checks that the reader may see the requested data of cards of some type.
 * @throws forbidden, as the lists of relations and of stakeholders do
 */
export function requireExpansions(
  { permissions }: RequestContext,
  { metamodel: { types }, visibility }: Reader,
  expand: CardExpansions,
): void {
  if (expand.has('relations') && !holdsAnywhere(permissions, RELATIONS, types.keys())) throw lacks(RELATIONS);
  if (expand.has('stakeholders') && visibility.stakeholderRedactedTypes.size === types.size)
    throw stakeholdersHidden(' to expand them');
}

/**
 * Reads the requested data of cards, with one statement for each expansion. Stakeholders are part of every card.
 * @param cards views for the reader, as JSON text
 * @returns for each card the members to be added, as JSON text: empty, or beginning with a comma
 */
export async function readExpansions(
  db: Pick<Database, 'query'>,
  cards: readonly Buffer[],
  expand: CardExpansions,
  { permissions }: RequestContext,
  { metamodel, visibility: { hiddenTypes } }: Reader,
): Promise<string[]> {
  if (cards.length === 0 || !['relations', 'parent', 'children'].some((name) => expand.has(name as CardExpansion)))
    return cards.map(() => '');
  const parsed = cards.map((card) => JSON.parse(card.toString()) as { id: string; parent_id: string | null });
  const ids = parsed.map(({ id }) => id);
  const relations =
    expand.has('relations') && (await readRelations(db, ids, relationlessTypes(permissions, metamodel.types.keys())));
  // By the id in the view, so that both members are of the same parent if the card is moved meanwhile.
  const parentIds = [...new Set(parsed.flatMap(({ parent_id }) => parent_id ?? []))];
  const parents = expand.has('parent') && (await readNames(db, parentIds, hiddenTypes));
  const children = expand.has('children') && (await readChildren(db, ids, hiddenTypes));
  return parsed.map(({ id, parent_id }) => {
    const members = {
      ...(relations && { relations: relations.get(id) }),
      ...(parents && { parent: parents.get(parent_id ?? '') ?? null }),
      ...(children && { children: children.get(id) }),
    };
    return `,${JSON.stringify(members).slice(1, -1)}`;
  });
}

/** Adds members to a card that has at least one. @param members as returned by `readExpansions` */
export const withMembers = (card: Buffer, members: string): Buffer =>
  members === '' ? card : Buffer.concat([card.subarray(0, -1), Buffer.from(`${members}}`)]);
