import type { RequestContext } from '../context.js';
import type { ModuleServices } from '../services.js';
import type { Call, ResourceOperation } from './operation.js';
import { findReferences, type FoundReferences } from './references.js';
import type { ResourceParts } from './parts.js';
import type { Row, Values } from './spec.js';

/** Data about the caller, cards and references that was looked up before the transaction. */
export interface Known {
  readonly references: FoundReferences;
  /** Whether the caller may see a card; false for a card that was not looked up. */
  sees(card: string): boolean;
  /** Whether a card was looked up. */
  wasLookedUp(card: string): boolean;
  /** Cards whose resources the caller may write by a stakeholder role; undefined if the caller has the permission. */
  writable(permission: string): ReadonlySet<string> | undefined;
}

/** For writes by the module itself: all cards are visible, and everything may be written. */
export const TRUSTED: Known = {
  references: new Map(),
  sees: () => true,
  wasLookedUp: () => true,
  writable: () => undefined,
};

const EMPTY: ReadonlySet<string> = new Set();

/** The cards whose stakeholder roles count: the linked ones, or the one in the field of `card` in the spec. */
export function decisiveCards({ spec: { card }, links }: ResourceParts, row: Values): string[] {
  if (links?.permission !== undefined) return links.of(row).map(({ card_id }) => card_id.toLowerCase());
  const id = card && row[card.field];
  return typeof id === 'string' ? [id.toLowerCase()] : [];
}

/**
 * Looks up the data that operations need, with a number of statements that does not depend on their number. Called before the
 * transaction: transactions that wait for a second connection of the pool could block each other.
 * @param scope values of fields in the path
 * @param naming cards that operations reference besides those in their values
 */
export async function lookUp(
  parts: ResourceParts,
  host: ModuleServices,
  ctx: RequestContext,
  operations: readonly ResourceOperation[],
  scope: Call['scope'] = {},
  naming: readonly string[] = [],
): Promise<Known> {
  const { spec, rows, links, cards, references } = parts;
  const sent = [scope, ...operations.flatMap(({ values }) => (typeof values === 'object' ? [values] : []))];
  const ids = [...new Set(operations.flatMap(({ id }) => id?.toLowerCase() ?? []))];
  const isOfCards = links !== undefined || cards.isUsed;
  const stored: readonly Row[] = isOfCards && ids.length > 0 ? await rows.find(host.db, ids) : [];
  const named = [
    ...new Set([
      ...naming.map((id) => id.toLowerCase()),
      ...(links ? sent.flatMap((values) => links.of(values).map(({ card_id }) => card_id.toLowerCase())) : []),
    ]),
  ];
  const found = await findReferences(host, ctx, references, sent);
  const linked = named.length > 0 ? await host.cards.find(ctx, named) : new Map<string, unknown>();
  const kept = [
    ...new Set(stored.flatMap((row) => [...cards.cardsOf(row), ...(links?.of(row) ?? []).map((link) => link.card_id)])),
  ];
  const hidden = await host.cards.hidden(ctx, kept);
  const seen = new Set([...(found.get('card') ?? EMPTY), ...linked.keys(), ...kept.filter((id) => !hidden.has(id))]);
  const lookedUp = new Set([...seen, ...kept]);
  const cardPermission = spec.card?.permission ?? links?.permission;
  const decisive = [...new Set([...sent, ...stored].flatMap((row) => decisiveCards(parts, row)))];
  const writable = new Map<string, ReadonlySet<string> | undefined>();
  for (const permission of new Set([spec.permissions.manage, spec.permissions.remove ?? spec.permissions.manage])) {
    if (ctx.permissions.has(permission)) continue;
    writable.set(
      permission,
      cardPermission === undefined || decisive.length + named.length === 0
        ? EMPTY
        : await host.cards.mayAmong(ctx, [...new Set([...decisive, ...named])], permission, cardPermission),
    );
  }
  return {
    references: found,
    sees: (card) => seen.has(card),
    wasLookedUp: (card) => lookedUp.has(card),
    writable: (permission) => writable.get(permission),
  };
}
