/** Workbooks: cells by kind, texts that are no formulas, names, links, limits, and the end of reading; `xlsx.long.test.ts` has the limits of a million rows and 65,530 links. */
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { XLSX_MAX_COLUMNS, xlsx, type XlsxColumn, type XlsxSheet } from '../../core/foundation/xlsx/index.js';
import { until } from '../support/app.js';
import { elementsOf, readXlsx } from '../support/xlsx.js';

const column = (kind: XlsxColumn['kind'], header: string = kind): XlsxColumn => ({ header, kind });
const sheet = (rows: XlsxSheet['rows'], columns: XlsxColumn[] = [column('text')], name = 'Sheet'): XlsxSheet => ({
  name,
  columns,
  rows,
});
const read = async (...sheets: XlsxSheet[]) => readXlsx(await buffer(xlsx(sheets)));
const texts = async (...values: string[]): Promise<string[]> => {
  const [one] = (await read(sheet(values.map((value) => [value])))).sheets;
  return one!.rows.slice(1).map(([value]) => value ?? '');
};

t.test('cells by the kind of their column', async (t) => {
  const columns = (['text', 'number', 'date', 'boolean', 'link'] as const).map((kind) => column(kind));
  const day = 46_037;
  const [one] = (
    await read(
      sheet(
        [
          ['a', 1.5, '2026-01-15', true, 'https://example.org/?a=1&b=<2>'],
          ['b', '-12345.678', '2026-01-15T12:00:00.000Z', 'false', { text: 'Open', url: 'https://example.org/x' }],
          [7, '12345678901234567890', '1899-12-31', 'maybe', { text: 'Run', url: 'javascript:alert(1)' }],
          [true, Number.NaN, new Date('2026-01-15T18:00:00Z'), 1, { text: 'Mail', url: 'mailto:a@example.org' }],
          [null, undefined, '', null, ''],
          [new Date(0), '1e3', '9999-12-31', false, 5],
        ],
        columns,
      ),
    )
  ).sheets;
  t.strictSame(one!.rows, [
    ['text', 'number', 'date', 'boolean', 'link'],
    ['a', '1.5', String(day), '1', 'https://example.org/?a=1&b=<2>'],
    ['b', '-12345.678', String(day + 0.5), '0', 'Open'],
    ['7', '12345678901234567890', '1899-12-31', 'maybe', 'Run'],
    ['true', '', String(day + 0.75), '1'.repeat(1), 'Mail'],
    ['', '', '', '', ''],
    ['1970-01-01T00:00:00.000Z', '1e3', '2958465', '0', '5'],
  ]);
  t.strictSame(
    [...one!.links],
    [
      ['E2', 'https://example.org/?a=1&b=%3C2%3E'],
      ['E3', 'https://example.org/x'],
      ['E5', 'mailto:a@example.org'],
    ],
  );
  const type = (ref: string) => one!.cells.get(ref)?.type;
  t.strictSame(['B2', 'B3', 'C2', 'D2'].map(type), [undefined, undefined, undefined, 'b']);
  t.strictSame(['A2', 'A4', 'B4', 'C4', 'D4', 'E4'].map(type), Array(6).fill('inlineStr'));
  t.not(one!.cells.get('C2')!.style, one!.cells.get('C3')!.style, 'days and times are shown differently');
});

t.test('texts are never formulas, and contain what XML allows', async (t) => {
  const same = [
    '=1+1',
    '+1',
    '-2+3',
    '@cmd',
    "'=1",
    ' lead',
    'trail ',
    'a\nb',
    '<b>&amp;</b>',
    '"',
    '日本語 🚀',
    '_x000D_',
    '_x41_',
  ];
  t.strictSame(await texts(...same), same);
  t.strictSame(await texts('a\r\nb\rc', '\u0000\u0001\u000b\u001f\ufffe\uffffx', 'a\ud800b\udc00'), [
    'a\nb\nc',
    'x',
    'ab',
  ]);
  const { parts } = await read(sheet(same.map((value) => [value])));
  for (const xml of Object.values(parts))
    t.notOk(
      elementsOf(xml).some(({ name }) => name === 'f'),
      'no formula',
    );
  const [long, pair] = await texts('x'.repeat(32_768), `${'x'.repeat(32_765)}🚀y`);
  t.equal(long, `${'x'.repeat(32_766)}…`);
  t.equal(pair, `${'x'.repeat(32_765)}…`, 'no half of a pair');
  t.equal((await texts('x'.repeat(32_767)))[0]!.length, 32_767);
});

t.test('header, filter and widths', async (t) => {
  const { sheets, parts } = await read(
    sheet(
      [
        ['a', 1],
        ['b', 2],
      ],
      [column('text', 'Name'), { header: 'Cost', kind: 'number', width: 40 }],
      "It's",
    ),
  );
  const elements = elementsOf(sheets[0]!.xml);
  const attributes = (name: string) => elements.filter((one) => one.name === name).map((one) => one.attributes);
  t.match(attributes('pane'), [{ ySplit: '1', state: 'frozen' }]);
  t.match(attributes('autoFilter'), [{ ref: 'A1:B3' }]);
  t.match(attributes('col'), [
    { min: '1', max: '1' },
    { min: '2', max: '2', width: '40' },
  ]);
  t.match(
    elementsOf(parts['xl/workbook.xml']!).filter(({ name }) => name === 'definedName'),
    [{ text: "'It''s'!$A$1:$B$3" }],
  );
  const bold = sheets[0]!.cells.get('A1')!.style;
  t.not(bold, sheets[0]!.cells.get('A2')!.style);
  const order = ['sheetViews', 'cols', 'sheetData', 'autoFilter'];
  t.strictSame(
    elements.filter(({ above, name }) => above.length === 1 && order.includes(name)).map(({ name }) => name),
    order,
  );
});

t.test('names of sheets', async (t) => {
  const names = [
    'Cards',
    'cards',
    'a[b]:*?/\\c',
    '',
    "'quoted'",
    'x'.repeat(40),
    'x'.repeat(50),
    'History',
    '\u0000',
    '<&">',
  ];
  const { sheets } = await read(...names.map((name) => sheet([], undefined, name)));
  t.strictSame(
    sheets.map(({ name }) => name),
    [
      'Cards',
      'cards (2)',
      'a-b------c',
      'Sheet',
      'quoted',
      'x'.repeat(31),
      `${'x'.repeat(27)} (2)`,
      'History-',
      'Sheet (2)',
      '<&">',
    ],
  );
});

t.test('limits', async (t) => {
  t.throws(() => xlsx([]), RangeError);
  t.throws(() => xlsx([sheet([], [])]), RangeError);
  t.throws(() => xlsx([sheet([], Array(XLSX_MAX_COLUMNS + 1).fill(column('text')) as XlsxColumn[])]), RangeError);
  const { sheets } = await read(
    sheet([Array(XLSX_MAX_COLUMNS).fill(1)], Array(XLSX_MAX_COLUMNS).fill(column('number')) as XlsxColumn[]),
  );
  t.ok(sheets[0]!.cells.has('XFD2') && sheets[0]!.cells.has('AAA2'));
  const [tooLong] = (await read(sheet([[`https://example.org/${'x'.repeat(2_100)}`]], [column('link')]))).sheets;
  t.equal(tooLong!.links.size, 0);
});

t.test('rows are read only as fast as the file', async (t) => {
  let asked = 0;
  let isEnded = false;
  async function* rows(): AsyncGenerator<string[]> {
    try {
      // Texts that cannot be compressed.
      for (; asked < 100_000; asked++) yield [Array.from({ length: 20 }, () => Math.random().toString(36)).join('')];
    } finally {
      isEnded = true;
    }
  }
  const file = xlsx([sheet(rows())]);
  for await (const chunk of file) if ((chunk as Buffer).length > 0 && asked > 1_000) break;
  t.ok(asked < 20_000, `${asked} rows were read`);
  await until(() => isEnded);
  t.pass('the reading of the rows is ended with that of the file');

  async function* failing(): AsyncGenerator<string[]> {
    yield ['a'];
    throw new Error('the rows failed');
  }
  await t.rejects(buffer(xlsx([sheet(failing())])), { message: 'the rows failed' });
});
