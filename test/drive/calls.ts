/** Generators of calls of an operation: valid ones, and ones with one or several invalid parts. */
import fc from 'fast-check';
import type { Body, Operation, Parameter } from './document.js';
import { HOSTILE_KEYS, RAW_BODIES, RAW_QUERIES, hostileText, hostileValue, mutate, someMutation } from './hostile.js';
import { FILES, multipart } from './uploads.js';
import type { Values } from './values.js';
import { collectionOf, inState, placeOf, token } from './world.js';

export type Actor = 'admin' | 'viewer' | 'anonymous';

/** A request whose placeholders are not replaced by ids yet. */
export interface Call {
  as: Actor;
  path: string;
  /** Encoded parts of the query. */
  query: string[];
  headers: Record<string, string>;
  /** JSON to be serialised, or text or bytes to be sent unchanged. */
  body?: { json: unknown } | { raw: string | Buffer };
  /** Whether a hostile segment of the path may lead to another operation or to none. */
  misrouted: boolean;
}

const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /%C2%AB(.*?)%C2%BB/g,
    (_, inner: string) => `\u00ab${inner.replace('%3A', ':')}\u00bb`,
  );

const HOSTILE_SEGMENTS = [
  '%00',
  '%ff',
  '%ed%a0%80',
  '%2e%2e',
  '..',
  '.',
  '%2F',
  'a%2Fb',
  'null',
  'undefined',
  '0',
  '-1',
  '1e3',
  'NaN',
  '__proto__',
  'constructor',
  ';x=1',
  '*',
  "'%20or%201=1--",
  '%F0%9F%9A%80',
  '%25',
  '%',
  '%zz',
  'x'.repeat(600),
  '01900000-0000-7000-8000-00000000DEAD',
  '01900000-0000-7000-8000-00000000dead',
  'urn:uuid:01900000-0000-7000-8000-00000000dead',
  '9223372036854775808',
  '99999999999999999999',
  '2147483648',
  'me',
  'Application',
  'admin',
];

/** The states a resource must have for an action: only an archived one can be restored. */
const ACTED_ON: Record<string, readonly string[]> = {
  archive: ['own'],
  restore: ['archived'],
  'request-signatures': ['draft'],
  sign: ['in_review'],
  reject: ['in_review'],
  recall: ['in_review'],
  revise: ['signed'],
  complete: ['open'],
  apply: ['ready'],
  cancel: ['queued', 'running'],
  retry: ['cancelled', 'failed'],
};

/** Placeholders for resources of a kind, mostly in a state in which the operation is possible. */
function fitting({ method, path }: Operation, kind: string): fc.Arbitrary<string> {
  const states = ACTED_ON[/\}\/([\w-]+)$/.exec(path)?.[1] ?? ''] ?? (method === 'DELETE' ? ['own'] : []);
  const any = fc.nat(1_000).map((n) => token(kind, n));
  if (states.length === 0) return any;
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...states), fc.nat(1_000))
        .map(([state, n]) => token(inState(kind, state), n)),
    },
    { weight: 1, arbitrary: any },
  );
}

/** The collection of a path parameter is the segment before it: `/cards/{id}` → `cards`. */
function segmentOf(operation: Operation, name: string): fc.Arbitrary<string> {
  return fitting(operation, collectionOf(operation.path.slice(0, operation.path.indexOf(`{${name}}`))));
}

function pathOf(operation: Operation): fc.Arbitrary<{ path: string; misrouted: boolean }> {
  const names = operation.parameters.filter((p) => p.in === 'path').map((p) => p.name);
  const segments = names.map((name) =>
    fc.oneof(
      { weight: 9, arbitrary: segmentOf(operation, name).map((text) => ({ text, misrouted: false })) },
      {
        weight: 1,
        arbitrary: fc
          .oneof(
            fc.constantFrom(...HOSTILE_SEGMENTS),
            hostileText.map((text) => encode(text.slice(0, 500))),
          )
          .map((text) => ({ text, misrouted: true })),
      },
    ),
  );
  const independent = fc.tuple(...segments).map((values) => ({
    path: values.reduce((path, { text }, i) => path.replace(`{${names[i]!}}`, () => text), operation.path),
    misrouted: values.some(({ misrouted }) => misrouted),
  }));
  const nestedPath = /^(.*\}(?:\/[\w-]+)+?)\/\{\w+\}(\/\{\w+\})?((?:\.|\/)[\w-]+)?$/.exec(operation.path);
  if (!nestedPath) return independent;
  const [, collection = '', second, action = ''] = nestedPath;
  // The ids of a nested path are mostly picked together, because a comment of another card is always a 404.
  const nested = fitting(operation, placeOf(`${collection}${second ? '/*' : ''}`)).map((place) => ({
    path: `${place}${action}`,
    misrouted: false,
  }));
  return fc.oneof({ weight: 3, arbitrary: nested }, { weight: 1, arbitrary: independent });
}

const written = (name: string, value: unknown): string =>
  `${encode(name)}=${encode(Array.isArray(value) ? value.join(',') : String(value))}`;

function queryOf(parameters: readonly Parameter[], values: Values): fc.Arbitrary<string[]> {
  const known = parameters.filter((p) => p.in === 'query');
  const valid = fc
    .record(Object.fromEntries(known.map((p) => [p.name, values.of(p.schema, p.name)])), {
      requiredKeys: known.filter((p) => p.required).map((p) => p.name),
    })
    .chain((all) => fc.subarray(Object.entries(all)))
    .map((some) => some.slice(0, 4).map(([name, value]) => written(name, value)));
  const odd =
    known.length === 0
      ? fc.constant('bogus=1')
      : fc
          .tuple(
            fc.constantFrom(...known.map((p) => p.name)),
            fc.oneof(hostileText, fc.constantFrom('-0', '1e308', '9007199254740993')),
          )
          .map(([name, value]) => written(name, value.slice(0, 2_500)));
  const mutated = fc.array(
    fc.oneof(
      fc.constantFrom(...RAW_QUERIES),
      odd,
      fc.constantFrom(...HOSTILE_KEYS).map((key) => written(key, 'x')),
    ),
    { minLength: 1, maxLength: 2 },
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<string[]>([]) },
    { weight: 8, arbitrary: valid },
    { weight: 2, arbitrary: fc.tuple(valid, mutated).map(([a, b]) => [...a, ...b]) },
  );
}

/** An example with its ids replaced by placeholders for existing resources. */
function withExistingIds(example: unknown): fc.Arbitrary<unknown> {
  return fc.array(fc.nat(1_000), { minLength: 6, maxLength: 6 }).map((numbers) => {
    let i = 0;
    const walk = (value: unknown, key: string): unknown => {
      if (typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value))
        return token(
          key === 'user_ids'
            ? 'signatories'
            : /user|assignee|owner/.test(key)
              ? 'users'
              : /tag/.test(key)
                ? 'tags'
                : 'cards',
          numbers[i++ % 6]!,
        );
      if (typeof value === 'string' && /^(name|title|email|display_name)$/.test(key))
        return key === 'email'
          ? `drive-${numbers[0]! * 1_000 + numbers[1]!}@example.org`
          : `${value} ${numbers[0]!}-${numbers[1]!}`;
      if (typeof value === 'string' && key === 'key') return `${value}_${numbers[0]!}`;
      if (Array.isArray(value)) return value.map((item) => walk(item, key));
      return typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, walk(v, k)]))
        : value;
    };
    return walk(example, '');
  });
}

type Sent = Pick<Call, 'body'> & { type?: string };

function bodyOf(body: Body, values: Values, path: string): fc.Arbitrary<Sent> {
  const { type } = body;
  if (type.startsWith('multipart/')) return multipart(body.schema, values, path);
  if (!/[/+]json$/.test(type))
    return fc
      .oneof(
        ...[FILES.filter((file) => file.type === type), FILES]
          .filter((some) => some.length > 0)
          .map((some) => fc.constantFrom(...some)),
      )
      .map(({ content }) => ({ type, body: { raw: content } }));
  const bySchema = values.of(body.schema);
  const valid =
    body.examples.length === 0
      ? bySchema
      : fc.oneof(
          { weight: 3, arbitrary: bySchema },
          { weight: 2, arbitrary: fc.constantFrom(...body.examples).chain(withExistingIds) },
        );
  const mutated = fc
    .tuple(valid, fc.array(someMutation, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => mutate(value, changes));
  return fc.oneof(
    { weight: 16, arbitrary: valid.map((json): Sent => ({ type, body: { json } })) },
    { weight: 8, arbitrary: mutated.map((json): Sent => (json === undefined ? {} : { type, body: { json } })) },
    { weight: 1, arbitrary: hostileValue.map((json): Sent => ({ type, body: { json } })) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_BODIES).map((raw): Sent => ({ type, body: { raw } })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            'text/plain',
            'application/json; charset=latin1',
            'application/json;',
            'application/JSON',
            'application/json\t',
            'text/json',
            'application/x-www-form-urlencoded',
            'multipart/form-data',
            'x',
          ),
          valid,
        )
        .map(([other, json]): Sent => ({ type: other, body: { json } })),
    },
    { weight: 1, arbitrary: fc.constant<Sent>({}) },
  );
}

const someHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('"1"', '"2"', 'W/"1"', '*', '"0"', '1', '"x"', '"99999999999999999999"', '', '"1", "2"')
      .map((tag) => ({ 'if-match': tag })),
  },
  { weight: 1, arbitrary: fc.constantFrom('"1"', '*', 'x', 'W/"1"').map((tag) => ({ 'if-none-match': tag })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('a', 'b', 'c', 'retry-1', 'x'.repeat(201), '', ' ', 'é')
      .map((key) => ({ 'idempotency-key': key })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'content-encoding': 'gzip' },
      { accept: 'text/xml' },
      { 'x-request-id': 'x\u00e9'.repeat(200) },
      { 'last-event-id': '-1' },
      { traceparent: '00-xyz' },
      { 'x-forwarded-for': "1.1.1.1, ' or 1" },
      { 'accept-encoding': 'gzip, br' },
    ),
  },
);

/** The administrator deletes less often than others try to, so that the workspace keeps some resources. */
const someActor = ({ method }: Operation): fc.Arbitrary<Actor> =>
  fc.oneof(
    { weight: method === 'DELETE' ? 4 : 7, arbitrary: fc.constant<Actor>('admin') },
    { weight: 2, arbitrary: fc.constant<Actor>('viewer') },
    { weight: 1, arbitrary: fc.constant<Actor>('anonymous') },
  );

/** Calls of the operation. A seed always gives the same call, regardless of the content of the workspace. */
export function callsOf(operation: Operation, values: Values): fc.Arbitrary<Call> {
  const body: fc.Arbitrary<Sent> =
    operation.bodies.length === 0
      ? fc.oneof(
          { weight: 9, arbitrary: fc.constant<Sent>({}) },
          { weight: 1, arbitrary: hostileValue.map((json): Sent => ({ type: 'application/json', body: { json } })) },
        )
      : fc.oneof(...operation.bodies.map((b) => bodyOf(b, values, operation.path)));
  return fc
    .tuple(someActor(operation), pathOf(operation), queryOf(operation.parameters, values), someHeaders, body)
    .map(([as, { path, misrouted }, query, headers, { type, ...sent }]) => ({
      as,
      path,
      query,
      headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
      misrouted,
      // Clients send no body with GET.
      ...(operation.method === 'GET' ? {} : sent),
    }));
}
