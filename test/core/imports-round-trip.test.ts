import t from 'tap';
import { registerAdmin, testApp } from '../support/app.js';
import { rowsOf, staged } from '../support/imports.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api, token } = await registerAdmin(origin);

/** The same as the name of a card, which is one line. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

/** Texts with special meaning for spreadsheets, parsers and databases. */
const HOSTILE = [
  '=1+1',
  '+1',
  '-1',
  '@sum',
  "'=quoted",
  "''=twice",
  "'plain",
  '\ttab',
  '\rreturn',
  'a,b;c\td',
  '"quoted"',
  '""',
  'line\nfeed',
  'line\r\nend',
  ' blank before',
  'blank after ',
  '🚀 日本語 ß İ e\u0301',
  '\u202Eright',
  '{"json":1}',
  '[1,2]',
  'true',
  '1e5',
  '0012',
  'NULL',
  '\\N',
  '\\.',
  '--',
  "O'Brien",
  '%s',
  '<b>',
];

t.test('an imported export is unchanged', async (t) => {
  const field = (key: string, kind: string, more = {}) => ({ key, label: key, kind, ...more });
  const made = await api.post('/metamodel/types', {
    key: 'Trip',
    label: 'Trip',
    has_hierarchy: true,
    sections: [
      {
        key: 'all',
        label: 'All',
        fields: [
          field('line', 'text'),
          field('lines', 'multiline'),
          field('amount', 'number'),
          field('whole', 'integer'),
          field('price', 'cost'),
          field('share', 'percentage'),
          field('flag', 'boolean'),
          field('day', 'date'),
          field('link', 'url'),
          field('mail', 'email'),
          field('one', 'single_select', {
            options: [
              { key: 'a', label: 'A' },
              { key: 'b', label: 'B' },
            ],
          }),
          field('many', 'multiple_select', {
            options: [
              { key: 'x', label: 'X' },
              { key: 'y', label: 'Y' },
            ],
          }),
          field('who', 'user'),
        ],
      },
    ],
  });
  t.equal(made.status, 201, JSON.stringify(made.body));
  const me = (await api.get('/auth/me')).body.id;
  const operations: unknown[] = HOSTILE.flatMap((text, i): unknown[] => [
    {
      op: 'create',
      ref: `r${i}`,
      card: {
        type: 'Trip',
        name: oneLine(`${i} ${text}`),
        description: text,
        alias: text.slice(0, 50),
        external_id: `${i}${text}`,
        lifecycle: { active: '2020-02-29' },
        attributes: {
          line: text,
          lines: `${text}\n${text}`,
          amount: -i / 3,
          whole: i * 1_000_003,
          price: i + 0.25,
          share: i,
          flag: i % 2 === 0,
          day: '2024-02-29',
          link: 'https://example.org/?a=1,2',
          mail: 'a@example.org',
          one: 'a',
          many: i % 3 === 0 ? ['x', 'y'] : ['y'],
          who: me,
        },
      },
    },
    {
      op: 'create',
      card: {
        type: 'Application',
        name: oneLine(`${text} app ${i}`),
        description: i % 2 === 0 ? text : null,
        attributes: { productName: text, numberOfUsers: i },
      },
    },
    { op: 'create', card: { type: 'Trip', name: oneLine(`child of ${text}`), parent: { ref: `r${i}` } } },
  ]);
  // The name of a card may begin like a formula.
  operations.push(
    ...HOSTILE.filter((text) => text.trim() !== '').map((text, i) => ({
      op: 'create',
      card: { type: 'Provider', name: oneLine(text.trim()), external_id: `p${i}` },
    })),
  );
  const bulk = await api.post('/cards/bulk', { operations });
  t.equal(bulk.status, 200, JSON.stringify(bulk.body).slice(0, 500));
  for (const [format, to, query] of [
    ['csv', 'csv', ''],
    ['csv', 'csv', '&type=Trip'],
    ['csv', 'csv', '&bom=true'],
    ['ndjson', 'ndjson', ''],
  ] as const) {
    const answer = await fetch(`${origin}/api/v1/cards/export?format=${format}${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    t.equal(answer.status, 200);
    const read = await staged(api, to, Buffer.from(await answer.arrayBuffer()));
    t.equal(read.state, 'ready', JSON.stringify(read.errors));
    t.strictSame(
      read.counts.card,
      { unchanged: query === '&type=Trip' ? HOSTILE.length * 2 : operations.length },
      `${format}${query}: ${JSON.stringify((await rowsOf(api, read.id)).filter(({ verdict }) => verdict !== 'unchanged').slice(0, 3))}`,
    );
    if (format === 'csv')
      t.ok(
        ['status', 'path', 'version', 'data_quality', 'tags'].every((column) => read.ignored_columns.includes(column)),
        read.ignored_columns.join(),
      );
  }
});
