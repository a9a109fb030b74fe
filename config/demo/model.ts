/** The format of the landscape: rows that refer to one another by name. */
import { camelCase } from '../metamodel/index.js';

/** A card in the format of the API. */
export interface CardUpsert {
  type: string;
  external_id: string;
  name: string;
  subtype?: string;
  alias?: string;
  description?: string;
  parent?: CardKey;
  lifecycle?: Record<string, string>;
  attributes?: Record<string, unknown>;
}

export interface CardKey {
  type: string;
  external_id: string;
}

/** A relation in the format of the API. */
export interface RelationUpsert {
  type: string;
  source: CardKey;
  target: CardKey;
  attributes?: Record<string, unknown>;
  description?: string;
}

/** A relation that starts or ends at its row. */
export interface Link {
  relation: string;
  /** Type and name of the card at the other end. */
  type: string;
  name: string;
  attributes?: Record<string, unknown>;
  /** Whether the row is the target. */
  incoming?: boolean;
}

/** A card with its relations and stakeholders. */
export interface Row {
  type: string;
  name: string;
  subtype?: string;
  alias?: string;
  description?: string;
  /** Name of a card of the same type. */
  parent?: string;
  lifecycle?: Record<string, string>;
  attributes?: Record<string, unknown>;
  links?: Link[];
  /** Stakeholders: initials of a person by stakeholder role. */
  people?: Record<string, string>;
}

/** The external id of a card, which is the same in every run. */
export const externalId = (name: string): string =>
  `demo-${name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`;

/** Links from cards of one type to cards of another, with the relation type for that pair. */
export const to = (
  from: string,
  type: string,
  names: readonly string[] = [],
  attributes?: Record<string, unknown>,
): Link[] =>
  names.map((name) => ({ relation: `${camelCase(from)}To${type}`, type, name, ...(attributes && { attributes }) }));

/** Links from other cards to this one. */
export const from = (
  type: string,
  target: string,
  names: readonly string[] = [],
  attributes?: Record<string, unknown>,
): Link[] =>
  names.map((name) => ({
    relation: `${camelCase(type)}To${target}`,
    type,
    name,
    incoming: true,
    ...(attributes && { attributes }),
  }));

/** Link to the older card that this one replaces. */
export const succeeds = (type: string, names: readonly string[] = []): Link[] =>
  names.map((name) => ({ relation: `${camelCase(type)}Successor`, type, name }));

/** A copy without members that are undefined. */
export const known = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
