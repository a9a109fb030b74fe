import { ConnectorError } from '@lintel/sdk';

/** Ids of records as they may stand in a query. */
const SYS_ID = /^[\w.-]{1,64}$/;
/** Parts of a query that neither choose records nor belong to a condition. */
const WITHOUT_EFFECT = /^(ORDERBY|GROUPBY|TRENDBY|EQ$)/;
/** Conditions over other tables, and positions in lists. */
const REFUSED = /^(RLQUERY|ENDRLQUERY|JOIN|SUBQUERY|ENDSUBQUERY|GOTO|\d+TEXTQUERY)/;
const FIELD = /^(OR)?([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)/;

const invalid = (reason: string): ConnectorError => new ConnectorError('invalid_settings', `The filter ${reason}.`);

/**
 * Whether an id may stand in a query.
 * @throws ConnectorError `invalid_answer` for another one, which a record of ServiceNow does not have
 */
export function sysIdOf(value: unknown): string {
  if (typeof value !== 'string' || !SYS_ID.test(value))
    throw new ConnectorError('invalid_answer', 'A record of ServiceNow has no valid sys_id.');
  return value;
}

export const isSysId = (id: string): boolean => SYS_ID.test(id);

/** A filter as alternatives, each a list of conditions that all hold: `^NQ` begins an alternative. */
export interface Filter {
  alternatives: readonly string[];
  /** The fields that it names. ServiceNow ignores conditions over fields that do not exist. */
  fields: readonly string[];
}

/**
 * Reads an encoded query. `^` is a conjunction, `^OR` adds an alternative to the condition before it only, and `^NQ` begins another query
 * (https://servicenow.github.io/sdk/guides/encoded-query-guide). What sorts or groups is left out. `^^` is refused: it may be a caret in a
 * value or an empty condition.
 * @throws ConnectorError `invalid_settings` for a query whose conditions are not all over fields of the table
 */
export function filterOf(text: string | undefined): Filter {
  const alternatives: string[][] = [[]];
  const fields = new Set<string>();
  if (text?.includes('^^')) throw invalid('must not have two carets side by side');
  for (const part of (text ?? '').split('^')) {
    let condition = part;
    if (/^NQ/.test(condition)) {
      alternatives.push([]);
      condition = condition.slice(2);
    }
    if (condition === '' || WITHOUT_EFFECT.test(condition)) continue;
    if (REFUSED.test(condition)) throw invalid(`must not have ${condition.slice(0, 30)}`);
    const [, isOr, field] = FIELD.exec(condition) ?? [];
    if (field === undefined) throw invalid(`has a condition that begins with no field: ${condition.slice(0, 30)}`);
    if (isOr !== undefined && alternatives.at(-1)!.length === 0) throw invalid('begins with OR');
    fields.add(field);
    alternatives.at(-1)!.push(condition);
  }
  const filled = alternatives.filter((conditions) => conditions.length > 0);
  // An empty alternative is true for all records.
  if (filled.length < alternatives.length && alternatives.length > 1) throw invalid('has an empty part beside NQ');
  return { alternatives: filled.map((conditions) => conditions.join('^')), fields: [...fields] };
}

/**
 * A query for the records of a filter to which all conditions apply, ordered by id. The conditions are repeated in each alternative, in
 * front, so that no `OR` of the filter is beside them.
 */
export function queryOf({ alternatives }: Filter, conditions: readonly string[]): string {
  const queries = (alternatives.length === 0 ? [''] : alternatives).map((alternative) =>
    [...conditions, alternative].filter(Boolean).join('^'),
  );
  return [queries.join('^NQ'), 'ORDERBYsys_id'].filter(Boolean).join('^');
}
