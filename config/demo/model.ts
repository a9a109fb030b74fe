/** How the landscape is written down: rows that name one another by their names. */

/** A card as the API takes it. */
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

/** A relation as the API takes it. */
export interface RelationUpsert {
  type: string;
  source: CardKey;
  target: CardKey;
  attributes?: Record<string, unknown>;
  description?: string;
}

/** A relation that starts or ends at the row it stands in. */
export interface Link {
  relation: string;
  /** Type and name of the card at the other end. */
  type: string;
  name: string;
  attributes?: Record<string, unknown>;
  /** Whether the row is the target. */
  incoming?: boolean;
}

/** A card with all that hangs on it. */
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
  /** Who is what to it: initials of a person by stakeholder role. */
  people?: Record<string, string>;
}

/** What a card is called in every run: its name without what a name may change. */
export const externalId = (name: string): string =>
  `demo-${name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`;

const camelCase = (type: string): string =>
  type.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z])/, (head) => head.toLowerCase());

/** Links from cards of one type to cards of another, by the relation type made for that pair. */
export const to = (
  from: string,
  type: string,
  names: readonly string[] = [],
  attributes?: Record<string, unknown>,
): Link[] =>
  names.map((name) => ({ relation: `${camelCase(from)}To${type}`, type, name, ...(attributes && { attributes }) }));

/** Links to the cards that this one is the target of. */
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

/** The older card this one takes the place of. */
export const succeeds = (type: string, names: readonly string[] = []): Link[] =>
  names.map((name) => ({ relation: `${camelCase(type)}Successor`, type, name }));

/** A copy without members that are undefined. */
export const known = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
