import type { Bindings } from '../../../foundation/db/list-query.js';
import { LIFECYCLE_PHASES } from '../types.js';
import { FilterConditions } from './filter-conditions.js';

/** `lifecycle[empty]` or `lifecycle.<phase>[<operator>]`, as a query parameter. */
export const LIFECYCLE_PARAMETER = '^lifecycle[.\\[]';
const PARAMETER = /^lifecycle(?:\.([A-Za-z]{1,20}))?\[([a-z]{1,10})\]$/;
const NAME = new RegExp(LIFECYCLE_PARAMETER);
const DAY = /^\d{4}-\d\d-\d\d$/;
const COMPARISONS: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
const OPERATORS = [...Object.keys(COMPARISONS), 'empty'].join(', ');

const isDay = (text: string): boolean =>
  DAY.test(text) && !text.startsWith('0000') && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** @returns the condition on `c`, or the reason why the filter is invalid */
function compile(parameter: string, text: string, bindings: Bindings): { sql: string } | { wrong: string } {
  const [, phase, operator] = PARAMETER.exec(parameter) ?? [];
  if (operator === undefined)
    return { wrong: `is no filter of the life cycle; there are lifecycle[empty] and lifecycle.<phase>[${OPERATORS}]` };
  if (phase !== undefined && !(LIFECYCLE_PHASES as readonly string[]).includes(phase))
    return { wrong: `${phase} is no phase; there are ${LIFECYCLE_PHASES.join(', ')}` };
  if (operator === 'empty') {
    if (text !== 'true' && text !== 'false') return { wrong: 'must be true or false' };
    const sql = phase === undefined ? `c.lifecycle = '{}'` : `c.lifecycle->>'${phase}' is null`;
    return { sql: text === 'true' ? sql : `not (${sql})` };
  }
  const sign = COMPARISONS[operator];
  if (phase === undefined || sign === undefined)
    return { wrong: `[${operator}] is no operator here; there are lifecycle[empty] and, of a phase, ${OPERATORS}` };
  if (!isDay(text)) return { wrong: 'must be a date such as 2026-01-15' };
  // Dates are compared as text: all have four digits of the year.
  return { sql: `c.lifecycle->>'${phase}' collate "C" ${sign} ${bindings.add(text)}::text` };
}

/**
 * Conditions on `c` for the filters by dates of the life cycle. A card without a date of the phase matches no comparison.
 * @param query the parameters of the list
 */
export function lifecycleConditions(query: object, bindings: Bindings): FilterConditions {
  const found = new FilterConditions();
  for (const [parameter, text] of Object.entries(query)) {
    if (typeof text !== 'string' || !NAME.test(parameter)) continue;
    const made = compile(parameter, text, bindings);
    if ('sql' in made) found.where.push(made.sql);
    else found.bad(parameter, made.wrong);
  }
  return found;
}
