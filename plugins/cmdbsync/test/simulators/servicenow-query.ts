/** Encoded queries of ServiceNow, as its public documentation describes them. */

/** How a row is seen by a query. */
export interface QueryTarget<R> {
  /** The value of a field or of a path through references; undefined if there is no such field. */
  valueOf(row: R, path: string): string | undefined;
  isNumber(path: string): boolean;
  isField(path: string): boolean;
}

const OPERATORS = [
  'ISNOTEMPTY',
  'ISEMPTY',
  'STARTSWITH',
  'ENDSWITH',
  'NOT LIKE',
  'LIKE',
  'NOT IN',
  'IN',
  '!=',
  '>=',
  '<=',
  '=',
  '>',
  '<',
];
const CONDITION = new RegExp(`^([a-z][a-z0-9_.]*)(${OPERATORS.join('|')})(.*)$`, 's');

type Test<R> = (row: R) => boolean;

function conditionOf<R>(text: string, target: QueryTarget<R>): Test<R> | undefined {
  const [, path, operator, operand = ''] = CONDITION.exec(text) ?? [];
  // A condition that is not valid is ignored, unless a property of the instance says otherwise.
  if (path === undefined || !target.isField(path)) return undefined;
  const wanted = operand.toLowerCase();
  const list = new Set(operator === 'IN' || operator === 'NOT IN' ? wanted.split(',') : []);
  const isNumber = target.isNumber(path);
  const compared = (value: string): number => {
    if (isNumber && value !== '' && wanted !== '') return Number(value) - Number(wanted);
    return value < wanted ? -1 : value > wanted ? 1 : 0;
  };
  const tests: Record<string, (value: string) => boolean> = {
    ISEMPTY: (value) => value === '',
    ISNOTEMPTY: (value) => value !== '',
    STARTSWITH: (value) => value.startsWith(wanted),
    ENDSWITH: (value) => value.endsWith(wanted),
    LIKE: (value) => value.includes(wanted),
    'NOT LIKE': (value) => !value.includes(wanted),
    IN: (value) => list.has(value),
    'NOT IN': (value) => !list.has(value),
    '=': (value) => value === wanted,
    '!=': (value) => value !== wanted,
    '>': (value) => value !== '' && compared(value) > 0,
    '>=': (value) => value !== '' && compared(value) >= 0,
    '<': (value) => value !== '' && compared(value) < 0,
    '<=': (value) => value !== '' && compared(value) <= 0,
  };
  const test = tests[operator!]!;
  return (row) => test((target.valueOf(row, path) ?? '').toLowerCase());
}

/** The rows that match an encoded query, in its order. */
export function select<R>(rows: Iterable<R>, query: string, target: QueryTarget<R>): R[] {
  /** Alternatives by `^NQ`, of conditions that all hold, of which each has alternatives by `^OR`. */
  const queries: Test<R>[][][] = [[]];
  const order: { path: string; sign: number }[] = [];
  for (const part of query.split('^')) {
    let text = part;
    const [, descending, path] = /^ORDERBY(DESC)?(.+)$/.exec(text) ?? [];
    if (path !== undefined) {
      if (target.isField(path)) order.push({ path, sign: descending === undefined ? 1 : -1 });
      continue;
    }
    if (text.startsWith('NQ')) {
      queries.push([]);
      text = text.slice(2);
    }
    const isOr = text.startsWith('OR');
    const test = conditionOf(isOr ? text.slice(2) : text, target);
    if (!test) continue;
    const conditions = queries.at(-1)!;
    if (isOr && conditions.length > 0) conditions.at(-1)!.push(test);
    else conditions.push([test]);
  }
  const found = [...rows].filter((row) =>
    queries.some((conditions) => conditions.every((alternatives) => alternatives.some((test) => test(row)))),
  );
  if (order.length === 0) return found;
  const keyed = found.map((row) => ({ row, keys: order.map(({ path }) => target.valueOf(row, path) ?? '') }));
  keyed.sort((a, b) => {
    for (const [i, { sign }] of order.entries()) {
      const [left, right] = [a.keys[i]!, b.keys[i]!];
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}
