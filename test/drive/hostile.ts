/** Hostile values, and ways to insert them into a valid request. */
import fc from 'fast-check';

const nested = (depth: number, leaf: unknown, array: boolean): unknown => {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = array ? [value] : { a: value };
  return value;
};

/** An object with one own property of any name, including `__proto__`. */
const own = (key: string, value: unknown): object => Object.fromEntries([[key, value]]);

export const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'toJSON',
  'length',
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '$ref',
  '$where',
  'a.b',
  'a/b',
  'a~b',
  "x'y",
  'x"y',
  'x`y',
  'id; drop table cards',
  'bogus',
  'Ключ',
  '鍵',
  '🚀',
  'x'.repeat(300),
  'password_hash',
  'role',
  'created_by',
  'version',
  'is_system',
  '0',
  '-1',
];

const TEXTS = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\ud83d',
  '\ufeff',
  '\u202edrow',
  '\u200b',
  'e\u0301'.repeat(50),
  '\u0130\u0131ßﬁ',
  'Zażółć gęślą jaźń',
  'Привет',
  'שלום عالم',
  '日本語',
  '👨‍👩‍👧‍👦🚀',
  '\ufdfa'.repeat(200),
  "' OR '1'='1",
  "'; DROP TABLE cards; --",
  '"; select pg_sleep(5); --',
  '\\',
  "\\'",
  '%',
  '_%',
  '%s%n',
  '$1',
  '?',
  ':name',
  '??',
  '${7*7}',
  '{{7*7}}',
  '#{7*7}',
  '<%= 7*7 %>',
  '<script>alert(1)</script>',
  '=1+1',
  '@SUM(A1)',
  '../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  'javascript:alert(1)',
  'null',
  'undefined',
  'NaN',
  'true',
  '1e5',
  '-0',
  '0x10',
  '١٢',
  '__proto__',
  'constructor',
  'toString',
  '(a+)+$',
  '[',
  '*',
  'a & !b | (',
  ':*',
  '<->',
  'admin',
  'me',
  '*',
  '0000-00-00',
  '0000-01-01',
  '-0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '2026-02-30',
  '2025-02-29',
  '2026-1-1',
  '2026-01-01T00:00:60Z',
  '2016-12-31T23:59:60Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00.000Z',
  'infinity',
  '-infinity',
  'now',
  'epoch',
  'today',
  '2026-01-01T00:00:00.123456789Z',
  '2026-01-01 00:00:00Z',
  '2026-W01',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01900000-0000-7000-8000-00000000DEAD',
  '{01900000-0000-7000-8000-00000000dead}',
  'urn:uuid:01900000-0000-7000-8000-00000000dead',
  '019000000000700080000000000000de',
  'x'.repeat(201),
  'x'.repeat(501),
  'x'.repeat(1_001),
  'ß'.repeat(499),
  'x'.repeat(10_001),
  'x'.repeat(50_001),
  '🚀'.repeat(260),
  'word '.repeat(5_000),
];

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  -0.5,
  1e-320,
  5e-324,
  1e21,
  1e308,
  -1e308,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  123456789012345,
  0.30000000000000004,
  99999999999999.99,
];

const OTHERS: unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [{}],
  {},
  ['', ''],
  own('__proto__', { polluted: true }),
  own('constructor', { prototype: { polluted: true } }),
  own('toString', 1),
  own('toJSON', 'x'),
  own('then', 'x'),
  own('length', 1e9),
  own('\0', 1),
  nested(30, 1, true),
  nested(62, 'x', false),
  nested(66, 'x', false),
  nested(200, null, true),
  Array.from({ length: 2_000 }, (_, i) => i),
  Array.from({ length: 300 }, () => ({})),
  Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`k${i}`, i])),
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 3, arbitrary: fc.constantFrom(...OTHERS) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** One change of a body: the index of the place, and the kind of change. */
export type Mutation = { at: number } & (
  | { how: 'replace'; value: unknown }
  | { how: 'add'; key: string; value: unknown }
  | { how: 'drop' }
  | { how: 'wrap' }
  | { how: 'double' }
);

export const someMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ at: fc.nat(200), how: fc.constant('replace' as const), value: hostileValue }) },
  {
    weight: 3,
    arbitrary: fc.record({
      at: fc.nat(200),
      how: fc.constant('add' as const),
      key: fc.constantFrom(...HOSTILE_KEYS),
      value: hostileValue,
    }),
  },
  { weight: 1, arbitrary: fc.record({ at: fc.nat(200), how: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ at: fc.nat(200), how: fc.constant('wrap' as const) }) },
  { weight: 1, arbitrary: fc.record({ at: fc.nat(200), how: fc.constant('double' as const) }) },
);

type Path = (string | number)[];

function places(value: unknown, path: Path = [], found: Path[] = []): Path[] {
  if (found.length > 400) return found;
  found.push(path);
  if (Array.isArray(value)) value.slice(0, 20).forEach((item, i) => places(item, [...path, i], found));
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) places(item, [...path, key], found);
  return found;
}

const REMOVED = Symbol('removed');

function changeAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return change(value);
  if (Array.isArray(value))
    return value
      .map((item, i) => (i === head ? changeAt(item, rest, change) : (item as unknown)))
      .filter((item) => item !== REMOVED);
  return Object.fromEntries(
    Object.entries(value as object)
      .map(([key, item]) => [key, key === head ? changeAt(item, rest, change) : (item as unknown)])
      .filter(([, item]) => item !== REMOVED),
  );
}

/** A copy of the value with the changes. */
export function mutate(value: unknown, changes: readonly Mutation[]): unknown {
  return changes.reduce((now, mutation) => {
    const all = places(now);
    const changed = changeAt(now, all[mutation.at % all.length]!, (old) => {
      switch (mutation.how) {
        case 'replace':
          return mutation.value;
        case 'add':
          return typeof old === 'object' && old !== null && !Array.isArray(old)
            ? Object.fromEntries([...Object.entries(old), [mutation.key, mutation.value]])
            : own(mutation.key, mutation.value);
        case 'drop':
          return REMOVED;
        case 'wrap':
          return [old];
        case 'double':
          return Array.isArray(old) ? [...(old as unknown[]), ...(old as unknown[])] : [old, old];
      }
    });
    return changed === REMOVED ? undefined : changed;
  }, value);
}

/** Bodies that are not JSON, or JSON that `JSON.stringify` never produces. */
export const RAW_BODIES = [
  '',
  ' ',
  '{',
  '}',
  '[',
  '"',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '{"a":NaN}',
  '{"name":1e999}',
  '{"version":1e400}',
  '{"a":-}',
  '\ufeff{}',
  '{"name":"\\ud800"}',
  '{"name":"\\u0000"}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"name":"a","name":"b"}',
  '{"a":00}',
  '{"a":12345678901234567890}',
  '<xml/>',
  'a=1&b=2',
  '\0',
  '\x1f\x8b\x08\0',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
  `"${'x'.repeat(60_000)}"`,
];

/** Encoded parts of a query string. */
export const RAW_QUERIES = [
  'page=1&page=2',
  'sort_by=name&sort_by=type',
  'search=a&search=b',
  'page[]=1',
  'page[a]=1',
  'search=%ff',
  'search=%c0%af',
  'search=%ed%a0%80',
  'search=%00',
  'search=%',
  'search=%zz',
  '%ff=1',
  '%00=1',
  '=',
  '&&&',
  '=1',
  'a',
  'page=%31',
  '__proto__=1',
  '__proto__[x]=1',
  'constructor=1',
  'toString=1',
  'hasOwnProperty=1',
  'page_size=200&page=9007199254740991',
  'page_size=200&page=2000000',
  'page=1e3',
  'page_size=0',
  'page=-1',
  'page=1.0',
  'cursor=',
  'cursor=eyJ9',
  'cursor=W10',
  'cursor=bnVsbA',
  'cursor=e30',
  'sort_by=password_hash',
  'sort_by=name%3Bdrop%20table%20cards',
  'sort_by=attributes.costTotalAnnual',
  'sort_by=attributes.__proto__',
  'sort_by=attributes.%27',
  'sort_dir=up',
  'sort_by=relevance',
  'fields=__proto__',
  'fields=attributes.%00',
  'fields=*',
  'fields=,',
  'fields=name,name',
  'attributes.costTotalAnnual[gt]=1e308',
  'attributes.costTotalAnnual[gte]=-0',
  'attributes.costTotalAnnual=NaN',
  'attributes.businessCriticality[gt]=x',
  'attributes.__proto__=1',
  'attributes.constructor[ne]=1',
  'attributes.=1',
  'attributes.x%27y=1',
  'attributes.costTotalAnnual[bogus]=1',
  'attributes.productName[contains]=%25',
  'attributes.productName[contains]=%5C',
  'attributes.productName[empty]=maybe',
  'attributes.productName[empty]=true',
  'attributes.numberOfUsers[lt]=99999999999999999999',
  'attributes.startDate[gt]=0000-00-00',
  'attributes[costTotalAnnual]=1',
  'lifecycle.endOfLife[lt]=0000-00-00',
  'lifecycle.__proto__[lt]=2026-01-15',
  'lifecycle[empty]=%00',
  'dry_run=true',
  'dry_run=1',
  'dry_run=',
  'search=%F0%9F%9A%80',
  'search=a:*%20%26%20!b',
  `search=${'x'.repeat(201)}`,
  `search=${'%C3%9F'.repeat(100)}`,
  `ids=${'01900000-0000-7000-8000-00000000dead,'.repeat(100)}`,
  'ids=,,,',
  'type=,',
  'type=Application,Application',
  'updated_since=infinity',
  'updated_since=0000-01-01T00:00:00Z',
  'updated_since=9999-12-31T23:59:59-23:59',
  'depth=7',
  'depth=0',
  'depth=99999999999',
  'total=exact',
  'parent_id=null',
  'parent_id=null,null',
  'stakeholder_id=me,me',
  'stakeholder_role[empty]=any,any',
  'stakeholder_role=%25',
  'data_quality[gte]=1e2',
  'data_quality[lt]=-0',
  'data_quality[lt]=0.000000000000000000001',
  'lifecycle_phase=none,none',
  'updated_before=9999-12-31T23:59:60Z',
  'related_to=me',
  'has_relation=none',
  'has_relation=none,related',
  'lacks_relation=constructor',
  'direction=outgoing',
  'format=xlsx',
  'format=ods',
  'last_event_id=-1',
  'last_event_id=99999999999999999999',
  'ticket=x',
  'access_token=x',
  'as_of=infinity',
];
