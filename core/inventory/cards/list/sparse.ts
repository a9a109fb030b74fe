import { invalid } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import { commaSeparated } from '../comma-separated.js';
import type { CardExpansions } from './expansions.js';
import { EXPANDED } from '../expand.js';
import { CardView } from '../schemas.js';

/** Those of `expand` are not members that `fields` can name. */
const MEMBERS = new Set(Object.keys(CardView.properties).filter((name) => !(name in EXPANDED)));

/** The requested members of a card. */
interface RequestedMembers {
  members: ReadonlySet<string>;
  /** Keys of the requested attributes, where only some are requested. */
  attributes: ReadonlySet<string>;
}

/**
 * Parses the `fields` parameter.
 * @param expand expansions of the request; stakeholders are a member of the card
 * @throws a 422 listing names that are not members of a card
 */
export function readFields(fields: string, metamodel: Metamodel, expand: CardExpansions): RequestedMembers {
  const names = commaSeparated(fields);
  const keys = names.filter((name) => name.startsWith('attributes.')).map((name) => name.slice('attributes.'.length));
  const isField = (key: string) => [...metamodel.types.values()].some((type) => type.fields.byKey.has(key));
  const unknown = [
    ...names.filter((name) => !name.startsWith('attributes.') && !MEMBERS.has(name)),
    ...keys.filter((key) => !isField(key)).map((key) => `attributes.${key}`),
  ];
  if (unknown.length > 0)
    throw invalid({ field: 'fields', reason: `${unknown.slice(0, 20).join(', ')}: no member of a card`, in: 'query' });
  const stakeholders = expand.has('stakeholders') ? ['stakeholders'] : [];
  const members = new Set(['id', ...names.filter((name) => MEMBERS.has(name)), ...stakeholders]);
  return { members, attributes: new Set(keys) };
}

/** A card with only the requested members, as JSON text. */
export function sparse(card: Buffer, { members, attributes }: RequestedMembers): Buffer {
  const whole = JSON.parse(card.toString()) as Record<string, unknown>;
  const kept: Record<string, unknown> = Object.fromEntries(Object.entries(whole).filter(([name]) => members.has(name)));
  if (attributes.size > 0 && !members.has('attributes')) {
    kept['attributes'] = Object.fromEntries(
      Object.entries(whole['attributes'] as object).filter(([key]) => attributes.has(key)),
    );
  }
  return Buffer.from(JSON.stringify(kept));
}
