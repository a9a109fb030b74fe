import type { CardInput, CardView } from '@lintel/sdk';
import type { Value } from '../records/definition.js';

type Group = 'lifecycle' | 'attributes';
const PLAIN = ['name', 'description', 'alias', 'external_id', 'subtype'] as const;

/** @returns the group and key of a target such as `attributes.cost`; undefined for a plain one */
function partsOf(target: string): { group: Group; key: string } | undefined {
  const dot = target.indexOf('.');
  if (dot < 0) return undefined;
  return { group: target.slice(0, dot) as Group, key: target.slice(dot + 1) };
}

/** The values of a card by target; null where it has none. */
export function valuesOfCard(card: CardView, targets: readonly string[]): Record<string, Value> {
  return Object.fromEntries(
    targets.map((target) => {
      const parts = partsOf(target);
      const group = parts ? (card[parts.group] as Record<string, unknown> | undefined) : undefined;
      return [target, (parts ? group?.[parts.key] : card[target]) ?? null];
    }),
  );
}

/** Values by target as a write of a card; null removes a value. */
export function cardInput(values: Readonly<Record<string, Value>>): CardInput {
  const input: Record<string, unknown> = {};
  for (const [target, value] of Object.entries(values)) {
    const parts = partsOf(target);
    if (!parts && !(PLAIN as readonly string[]).includes(target)) continue;
    if (parts) input[parts.group] = { ...(input[parts.group] as object | undefined), [parts.key]: value ?? null };
    else input[target] = value ?? null;
  }
  return input as CardInput;
}
