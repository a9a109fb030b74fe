import type { Bindings } from '../../../foundation/db/list-query.js';
import type { FieldError } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import {
  attributeOf,
  costOpen,
  referenceSeen,
  type Attribute,
  type ValueClass,
} from '../attributes/attribute-fields-repository.js';
import { comparable, compared, isOfType, jsonOf, stringOf } from '../attributes/attribute-values-repository.js';
import type { CardVisibility } from '../../access/index.js';
import { commaSeparated } from '../comma-separated.js';

/** `attributes.<key>` or `attributes.<key>[<operator>]`, as a query parameter. */
const PARAMETER = /^attributes\.([^[\]]{1,63})(?:\[([a-z]+)\])?$/;
const NUMBER = /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const MOST_VALUES = 100;
/** Maximum number of values of all filters on attributes of a query: each card is compared with all of them. */
const MOST_TOGETHER = 200;
const COMPARISONS: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
const EMPTY = `('null'::jsonb, '""'::jsonb, '[]'::jsonb)`;

/** Whether the operator compares with a list of values. */
const isAnyOf = (operator: string): boolean => operator === '' || operator === 'ne';

/** The query parameters that filter by attributes. */
const attributeParameters = (query: object): [string, string][] =>
  Object.entries(query).filter(
    (entry): entry is [string, string] => entry[0].startsWith('attributes.') && typeof entry[1] === 'string',
  );

const isDay = (text: string): boolean =>
  DAY.test(text) && !text.startsWith('0000') && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** A value in the stored form of a class; undefined where it is not valid for the class. */
function stored(like: ValueClass, text: string): string | undefined {
  switch (like) {
    case 'number':
      return NUMBER.test(text) ? text : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text : undefined;
    case 'date':
      return isDay(text) ? JSON.stringify(text) : undefined;
    case 'options':
      return JSON.stringify([text]);
    case 'text':
    case 'option':
    case 'id':
      return JSON.stringify(text);
  }
}

/** The result of compiling attribute filters. */
interface AttributeConditions {
  where: string[];
  errors: FieldError[];
  ranges: readonly Range[];
}

/** A condition for which indexes on an attribute can be used. */
export interface Range {
  /** The text of the condition, as in the list of all conditions. */
  condition: string;
  /** The condition by type, each using one index; contains all types whose cards can match. */
  byType: ReadonlyMap<string, string>;
}

type Made = { sql: string; byType?: Map<string, string> } | { wrong: string };

/** One filter on one attribute. */
interface Filter {
  attribute: Attribute;
  operator: string;
  text: string;
  bindings: Bindings;
}

/** @returns the condition, or the reason why the value is invalid */
function equal({ attribute: { key, classes }, text, bindings }: Filter): { sql: string } | { wrong: string } {
  const values = commaSeparated(text);
  if (values.length === 0) return { wrong: 'must have a value' };
  if (values.length > MOST_VALUES) return { wrong: `must have at most ${MOST_VALUES} values` };
  const documents = new Set<string>();
  for (const value of values) {
    const forms = [...classes.keys()].flatMap((like) => stored(like, value) ?? []);
    if (forms.length === 0) return { wrong: `must be ${[...classes.keys()].map((like) => NOUNS[like]).join(' or ')}` };
    for (const form of forms) documents.add(`{"${key}":${form}}`);
  }
  // One containment condition per value, because the index does not support `@> any(array)`.
  return {
    sql: `(${[...documents].map((document) => `c.attributes @> ${bindings.add(document)}::jsonb`).join(' or ')})`,
  };
}

const NOUNS: Record<ValueClass, string> = {
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-15',
  text: 'text',
  option: 'the key of an option',
  options: 'the key of an option',
  id: 'an id',
};

/** Where types define a key differently, restricts the condition to types with this definition. */
const ofTypes = ({ classes }: Attribute, like: ValueClass, bindings: Bindings): string =>
  classes.size === 1 ? '' : `c.type = any(${bindings.add(classes.get(like))}::text[]) and `;

/**
 * A condition on cards of the types with this definition; each indexed type is a literal, so that its index can be
 * used.
 */
function among(attribute: Attribute, like: ValueClass, condition: string, bindings: Bindings): Made {
  const types = attribute.classes.get(like)!;
  const indexed = types.filter((type) => attribute.indexed.includes(type));
  if (indexed.length === 0) return { sql: `(${ofTypes(attribute, like, bindings)}${condition})` };
  const others = types.filter((type) => !indexed.includes(type));
  const byType = new Map(indexed.map((type) => [type, `${isOfType(type)} and ${condition}`]));
  if (others.length === 0) return { sql: `(${[...byType.values()].join(' or ')})`, byType };
  return {
    sql: `(${[...byType.values(), `c.type = any(${bindings.add(others)}::text[]) and ${condition}`].join(' or ')})`,
  };
}

function range({ attribute, operator, text, bindings }: Filter): Made {
  const sign = COMPARISONS[operator]!;
  const { key, classes } = attribute;
  if (!classes.has('number') && !classes.has('date'))
    return { wrong: `[${operator}] compares numbers and dates; this field has neither` };
  const like =
    classes.has('number') && NUMBER.test(text) ? 'number' : classes.has('date') && isDay(text) ? 'date' : undefined;
  if (like !== undefined) {
    const value = comparable(key, like);
    return among(attribute, like, `${compared(value)} ${sign} ${bindings.add(text)}::${value.type}`, bindings);
  }
  return {
    wrong: `must be ${[...classes.keys()]
      .filter((like) => like === 'number' || like === 'date')
      .map((like) => NOUNS[like])
      .join(' or ')}`,
  };
}

function compile(filter: Filter): Made {
  const { attribute, operator, text, bindings } = filter;
  switch (operator) {
    case '':
      return equal(filter);
    case 'ne': {
      const same = equal(filter);
      return 'wrong' in same ? same : { sql: `not ${same.sql}` };
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return range(filter);
    case 'contains':
      if (!attribute.classes.has('text')) return { wrong: '[contains] searches text; this field is not text' };
      if (text === '') return { wrong: 'must have a value' };
      return {
        sql: `(${ofTypes(attribute, 'text', bindings)}strpos(lintel_fold(${stringOf(attribute.key)}), lintel_fold(${bindings.add(text)}::text)) > 0)`,
      };
    case 'empty': {
      if (text !== 'true' && text !== 'false') return { wrong: 'must be true or false' };
      return { sql: `coalesce(${jsonOf(attribute.key)}, 'null'::jsonb) ${text === 'true' ? '' : 'not '}in ${EMPTY}` };
    }
    default:
      return { wrong: `[${operator}] is no operator; there are ne, gt, gte, lt, lte, contains and empty` };
  }
}

/** Whether the filter matches a card without a value. */
const matchesAbsent = (operator: string, text: string): boolean =>
  operator === 'ne' || (operator === 'empty' && text === 'true');

/**
 * Conditions on `c` for the attribute filters of a query.
 * @param find the definition of a key; undefined for an unknown key
 * @param open the condition that the reader may see the value; undefined where this always holds
 * @param seen the condition that the value names no hidden card; a card with such a value matches like one without a value
 */
export function conditionsOn(
  query: object,
  bindings: Bindings,
  find: (key: string) => Attribute | undefined,
  open: (attribute: Attribute) => string | undefined,
  seen: (attribute: Attribute) => string | undefined,
): AttributeConditions {
  const where: string[] = [];
  const errors: FieldError[] = [];
  const ranges: Range[] = [];
  let values = 0;
  for (const [parameter, text] of attributeParameters(query)) {
    const [, key, operator = ''] = PARAMETER.exec(parameter) ?? [];
    const attribute = key === undefined ? undefined : find(key);
    const bad = (reason: string) => errors.push({ field: parameter, reason, in: 'query' });
    if (!attribute) {
      bad('names no field of these types');
      continue;
    }
    values += isAnyOf(operator) ? commaSeparated(text).length : 1;
    if (values > MOST_TOGETHER) {
      bad(`must have at most ${MOST_TOGETHER} values together with the filters before it`);
      continue;
    }
    const made = compile({ attribute, operator, text, bindings });
    if ('wrong' in made) {
      bad(made.wrong);
      continue;
    }
    const opened = open(attribute);
    const isSeen = seen(attribute);
    const ofSeen = (sql: string): string =>
      isSeen === undefined
        ? sql
        : matchesAbsent(operator, text)
          ? `(not (${isSeen}) or ${sql})`
          : `${isSeen} and ${sql}`;
    const whole = (sql: string): string => (opened === undefined ? ofSeen(sql) : `${opened} and ${ofSeen(sql)}`);
    where.push(whole(made.sql));
    if (made.byType)
      ranges.push({
        condition: where.at(-1)!,
        byType: new Map([...made.byType].map(([type, sql]) => [type, whole(sql)])),
      });
  }
  return { where, errors, ranges };
}

/**
 * The same for cards. A card whose costs the reader may not see matches no filter on a cost, including negated ones; one that
 * refers to a hidden card matches like one without a reference.
 * @param types card types of the list; all where absent
 */
export const attributeConditions = (
  query: object,
  types: readonly string[] | undefined,
  metamodel: Metamodel,
  visibility: CardVisibility,
  bindings: Bindings,
): AttributeConditions =>
  conditionsOn(
    query,
    bindings,
    (key) => attributeOf(metamodel, visibility, key, types),
    (attribute) => costOpen(attribute, visibility, bindings),
    (attribute) => referenceSeen(attribute, visibility, bindings),
  );
