import t from 'tap';
import { FieldSet } from '../../../core/inventory/metamodel/fields.js';
import { compilePattern } from '../../../core/inventory/metamodel/pattern.js';
import type { FieldDefinition, FieldKind } from '../../../core/inventory/metamodel/types.js';

const field = (key: string, kind: FieldKind, more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  key,
  label: key,
  kind,
  required: false,
  weight: 1,
  ...more,
});
const ID = '0198F3A0-7C1E-7A52-9D3C-5F0F6B3F4E21';

t.test('a pattern may match anywhere, as in JSON Schema, and takes linear time', async (t) => {
  const cases: [pattern: string, text: string, matches: boolean][] = [
    ['^[A-Z]{3}-[0-9]+$', 'ABC-12', true],
    ['^[A-Z]{3}-[0-9]+$', 'xABC-12', false],
    ['[0-9]', 'a1b', true],
    ['(?i)straße', 'STRASSE', false],
    ['^\\p{L}+$', 'Größe', true],
    ['^\\p{Han}+$', '日本語', true],
    ['^.$', '🚀', true],
    ['^a.c$', 'a\nc', false],
  ];
  for (const [pattern, text, matches] of cases)
    t.equal(compilePattern(pattern)(text), matches, `${pattern} on ${JSON.stringify(text)}`);
  for (const pattern of ['(a+)+$', '(x+x+)+y', '(.*)*(.*)*(.*)*=', '(?i)[ab]*a[ab]{250}c$']) {
    const match = compilePattern(pattern);
    const began = performance.now();
    for (let i = 0; i < 3; i++) match(`${'ab'.repeat(1_000)}!`);
    t.ok(performance.now() - began < 3_000, `${pattern} takes ${performance.now() - began} ms`);
  }
  for (const pattern of ['[', '(?=a)b', '(a)\\1', 'a{1001}', '(a{100}){100}', '(\\p{L}{1,100}){1,9}x', 'a'.repeat(501)])
    t.throws(() => compilePattern(pattern), Error, pattern.slice(0, 40));
});

t.test('values are checked by kind, bounds, options and pattern, all at once', async (t) => {
  const set = new FieldSet([
    field('code', 'text', { pattern: '^[A-Z]+$' }),
    field('size', 'integer', { min: 1, max: 9 }),
    field('one', 'single_select', { options: [{ key: 'a', label: 'A' }] }),
    field('many', 'multiple_select', {
      options: [
        { key: 'a', label: 'A' },
        { key: 'b', label: 'B' },
      ],
    }),
    field('who', 'user'),
    field('when', 'date'),
  ]);
  t.strictSame(
    set.errors({ code: 'AB', size: 1, one: 'a', many: ['a', 'b'], who: ID, when: '2026-02-28' }, '/attributes'),
    [],
  );
  const wrong = set.errors(
    { code: 'ab', size: 10, one: 'b', many: ['a', 'a'], who: 'me', when: '2026-02-30', toString: 1 },
    '/attributes',
  );
  t.strictSame(wrong.map((e) => e.field).sort(), [
    '/attributes/code',
    '/attributes/many',
    '/attributes/one',
    '/attributes/size',
    '/attributes/toString',
    '/attributes/when',
    '/attributes/who',
  ]);
  t.match(
    wrong.find((e) => e.field === '/attributes/code'),
    { reason: 'must match ^[A-Z]+$', in: 'body' },
  );
  t.match(
    set.errors({ code: 'x'.repeat(50_000) }, ''),
    [{ field: '/code', reason: /2000/ }],
    'a too long text is not matched',
  );
});

t.test('a URL has a host and the scheme http or https in any case', async (t) => {
  const set = new FieldSet([field('link', 'url')]);
  const isUrl = (link: string) => set.errors({ link }, '').length === 0;
  for (const link of [
    'http://a',
    'https://example.org/x?y=z#f',
    'HTTPS://Example.org',
    'https://[::1]:8443/',
    `https://a.b/${'x'.repeat(1_988)}`,
  ])
    t.ok(isUrl(link), link);
  for (const link of [
    '',
    'http://',
    'http:///x',
    'https://?x',
    'https://#x',
    'javascript:alert(1)',
    'ftp://a.b',
    '//a.b',
    ' https://a.b',
    'https://a b',
    `https://a.b/${'x'.repeat(1_989)}`,
  ])
    t.notOk(isUrl(link), link);
});

t.test('defaults, references and fields set only by the service', async (t) => {
  const set = new FieldSet([
    field('list', 'multiple_select', { options: [{ key: 'a', label: 'A' }], default: ['a'] }),
    field('zero', 'number', { default: 0 }),
    field('no', 'boolean', { default: false }),
    field('who', 'user'),
    field('other', 'card_reference'),
    field('kept', 'text', { readonly: true }),
  ]);
  t.strictSame(set.defaults(), { list: ['a'], zero: 0, no: false });
  (set.defaults()['list'] as string[]).push('b');
  t.strictSame(set.defaults()['list'], ['a'], 'a caller gets a copy');
  t.strictSame(set.references({ who: ID, other: null, zero: 1 }), [{ key: 'who', kind: 'user', id: ID.toLowerCase() }]);
  t.strictSame([...set.readonlyKeys], ['kept']);
});
