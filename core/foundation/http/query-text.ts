import type { FieldError } from '@lintel/sdk';
import { parse } from 'fast-querystring';

/** Maximum number of parameters of a query: with all filters together, a route accepts fewer. */
const MOST_PARAMETERS = 200;
const AND = '&';

/** The query of a request with too many parameters, which are not parsed. */
export const TOO_MANY = Object.freeze(Object.create(null) as Record<string, unknown>);
export const TOO_MANY_PARAMETERS: FieldError = {
  field: '',
  reason: `must NOT have more than ${MOST_PARAMETERS} parameters`,
  in: 'query',
};

/** Parses the query of a URL, unless it has too many parameters: a request without an account could have thousands. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text.length === 0) return {};
  let parameters = 1;
  for (let at = text.indexOf(AND); at >= 0; at = text.indexOf(AND, at + 1))
    if (++parameters > MOST_PARAMETERS) return TOO_MANY;
  return parse(text);
}
