/** Each kind of picture with the least, realistic and greatest contents is readable and safe. */
import type { Picture } from '@lintel/sdk';
import t from 'tap';
import { drawings, type DrawOptions } from '../pictures/index.js';
import * as samples from './picture-samples.js';
import { readSvg } from './svg.js';

const drawer = drawings();
t.teardown(() => drawer.close());

const LONG =
  'Enterprise-wide consolidated customer-relationship and order-management platform (formerly Siebel) '.repeat(3);
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const HOSTILE = [
  '</text><script>alert(1)</script>',
  '"><a href="javascript:alert(1)">x</a>',
  '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 emoji',
  'مرحبا بالعالم‎ ‮abc',
  'zero\u0000 \u0008control\uffff',
  '\ud800 lone \udfff surrogates',
  'ab'.repeat(5_000),
  '顧客管理システム',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  '   ',
  '',
  'line\nbreak\ttab',
];

/** The same picture with other texts, so that each kind is drawn with all of them. */
function withTexts(picture: Picture, texts: readonly string[]): Picture {
  let next = 0;
  const TEXTS = new Set([
    'label',
    'title',
    'subtitle',
    'description',
    'note',
    'unit',
    'text',
    'rowTitle',
    'columnTitle',
  ]);
  const change = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return TEXTS.has(key) ? texts[next++ % texts.length] : value;
    if (Array.isArray(value))
      return value.map((one) =>
        change(one, key === 'texts' || key === 'notes' ? 'text' : typeof one === 'string' ? '' : key),
      );
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one, name)]));
  };
  return change(picture, '') as Picture;
}

const { typeNames, domainNames, items, picture } = samples;
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `Name ${i + 1}`);

/** Contents by kind: one element, a realistic content, many elements. */
const contents: Record<string, readonly Picture['content'][]> = {
  bars: [
    samples.bars(['One']),
    samples.bars(typeNames),
    samples.bars(typeNames.slice(0, 5)),
    samples.bars(items(28)),
    samples.stack(domainNames, ['Licences', 'Infrastructure', 'Staff']),
    samples.stack(items(300), names(20)),
    {
      kind: 'bars',
      unit: 'EUR',
      categories: names(4).map((label) => ({ label })),
      series: [{ label: 'a', values: [-5, 3, null, 0] }],
    },
    {
      kind: 'bars',
      unit: 'EUR',
      categories: names(3).map((label) => ({ label })),
      series: [
        { label: 'a', values: [1e15, 1e-9, Number.NaN] },
        { label: 'b', values: [-1e15, 2] },
      ],
    },
  ],
  lines: [
    samples.lines(1, ['One']),
    samples.lines(2, ['One', 'Two']),
    samples.lines(90, ['Applications', 'Interfaces', 'IT Components', 'Initiatives']),
    samples.lines(1_500, names(40)),
    {
      kind: 'lines',
      unit: 'cards',
      dates: ['2026-01-01', 'never', '2026-01-03'],
      series: [{ label: 'flat', values: [1_000, 3, 1_003] }],
    },
  ],
  grid: [
    samples.grid(['One'], ['Only']),
    samples.grid([...domainNames, ...typeNames.slice(0, 4)], typeNames.slice(0, 12)),
    samples.grid(items(30), items(40)),
    samples.grid(names(400), names(100)),
    samples.matrix(),
  ],
  timeline: [
    samples.timeline(1, ['']),
    samples.timeline(40, domainNames.slice(0, 5)),
    samples.timeline(600, domainNames),
    {
      kind: 'timeline',
      from: '0001-01-01',
      to: '9999-12-31',
      marker: '2026-11-23',
      legend: [],
      groups: [
        {
          label: '',
          items: [
            {
              label: 'ever',
              spans: [
                { from: '0001-01-01', to: '9999-12-31', label: 'Active', color: '#0072b2' },
                { from: '2020-01-01', to: '2030-01-01', label: 'Other', color: 'red' },
              ],
            },
          ],
        },
      ],
    },
    {
      kind: 'timeline',
      from: '2026-01-01',
      to: '2026-01-01',
      legend: [],
      groups: [{ label: 'A day', items: [{ label: 'x', spans: [] }] }],
    },
  ],
  nested: [
    { kind: 'nested', boxes: [{ label: 'One', shape: 'leaf' }] },
    { kind: 'nested', boxes: [{ label: 'One', shape: 'container', note: '7' }] },
    samples.capabilities(8),
    samples.capabilities(3),
    samples.capabilities(120),
    { kind: 'nested', boxes: names(2_000).map((label) => ({ label, shape: 'leaf' as const, note: '3 cards' })) },
  ],
  treemap: [
    samples.treemap(1, 1),
    samples.treemap(8, 5),
    samples.treemap(40, 60),
    {
      kind: 'treemap',
      unit: 'EUR',
      nodes: names(3).map((label, i) => ({ label, value: i === 0 ? 0 : 10 ** (i * 9), text: `${i}` })),
    },
  ],
  graph: [
    samples.graph(1, 0),
    samples.graph(12, 16, 'provides data to'),
    samples.graph(60, 80),
    samples.graph(30, 0),
    {
      kind: 'graph',
      legend: [],
      nodes: names(4).map((id) => ({ id, label: id, color: '#0072b2' })),
      edges: [
        { from: 'Name 1', to: 'Name 1' },
        { from: 'Name 1', to: 'Name 2' },
        { from: 'Name 2', to: 'Name 1' },
        { from: 'Name 1', to: 'missing' },
      ],
    },
  ],
  figures: [samples.figures(1), samples.figures(5), samples.figures(200)],
  panels: [samples.panels(), { kind: 'panels', panels: [{ title: 'One', picture: samples.figures(2), isWide: true }] }],
};
const EMPTY: Record<string, Picture['content']> = {
  bars: { kind: 'bars', categories: [], series: [], unit: '' },
  lines: { kind: 'lines', dates: [], series: [], unit: '' },
  grid: { kind: 'grid', rowTitle: '', columnTitle: '', rows: [], columns: [], cells: [] },
  timeline: { kind: 'timeline', from: '2026-01-01', to: '2025-01-01', groups: [], legend: [] },
  nested: { kind: 'nested', boxes: [] },
  treemap: { kind: 'treemap', nodes: [], unit: '' },
  graph: { kind: 'graph', nodes: [], edges: [], legend: [] },
  figures: { kind: 'figures', figures: [] },
  panels: { kind: 'panels', panels: [] },
};

const options = (
  width: number,
  theme: DrawOptions['theme'] = 'light',
  more: Partial<DrawOptions> = {},
): DrawOptions => ({
  width,
  theme,
  lang: 'en',
  ...more,
});
const MAX_BYTES = 4_000_000;

async function problemsOf(one: Picture, drawn: DrawOptions): Promise<string[]> {
  const svg = await drawer.svg(one, drawn);
  const { problems } = readSvg(svg, drawn.width >= 1_200 ? 10 : 6);
  return [...problems, ...(svg.length > MAX_BYTES ? [`${svg.length} bytes`] : [])].slice(0, 10);
}

for (const [kind, all] of Object.entries(contents))
  t.test(`${kind}: readable with every content, theme and width`, async (t) => {
    const sizes = [
      [1_200, 'light'],
      [400, 'dark'],
      [2_400, 'dark'],
    ] as const;
    for (const [i, content] of all.entries())
      for (const [width, theme] of sizes.slice(0, i < 2 ? 3 : 2))
        t.strictSame(await problemsOf(picture(content), options(width, theme)), [], `content ${i}, ${width}, ${theme}`);
    t.strictSame(await problemsOf(picture(EMPTY[kind]!, '', { description: '' }), options(1_200)), [], 'empty');
  });

for (const [kind, all] of Object.entries(contents))
  t.test(`${kind}: long and hostile texts stay within the picture`, async (t) => {
    const sources = kind === 'graph' ? all.slice(1, 2) : all.slice(0, 2);
    for (const [i, content] of sources.entries())
      for (const [width, texts] of [
        [1_200, [LONG, WORD]],
        [400, [WORD, LONG]],
        [1_200, HOSTILE],
        [400, HOSTILE],
      ] as const)
        t.strictSame(
          await problemsOf(
            withTexts(picture(content), texts),
            options(width, 'dark', { publicUrl: 'https://ea.example' }),
          ),
          [],
          `content ${i}, ${width}`,
        );
  });

t.test('links only lead below the public address, and only where there is one', async (t) => {
  const href = (path: string) => ({ label: 'x', value: '1', href: path });
  const content = {
    kind: 'figures' as const,
    figures: ['/api/v1/cards/1?a="b"&c', '//evil.example', '.evil.example/', 'javascript:alert(1)', '/\\evil'].map(
      href,
    ),
  };
  const draw = async (publicUrl?: string): Promise<readonly string[]> =>
    readSvg(await drawer.svg(picture(content), options(1_200, 'light', { publicUrl }))).links;
  t.strictSame(await draw('https://ea.example/lintel/'), ['https://ea.example/lintel/api/v1/cards/1?a="b"&c']);
  t.strictSame(await draw(), []);
  t.strictSame(await draw('javascript:alert(1)//'), []);
  for (const [kind, all] of Object.entries(contents)) {
    const svg = await drawer.svg(picture(all[1]!), options(1_200, 'light', { publicUrl: 'https://ea.example' }));
    const { links } = readSvg(svg);
    t.equal(links.length > 0, !['lines', 'nested'].includes(kind), `${kind}: ${links.length} links`);
  }
});

t.test('the same picture is drawn with the same bytes; numbers and dates follow the language', async (t) => {
  for (const content of [samples.graph(12, 16, 'uses'), samples.panels(), samples.timeline(4, ['A'])]) {
    const first = await drawer.svg(picture(content), options(1_200));
    const other = drawings();
    t.equal(await other.svg(picture(content), options(1_200)), first);
    await other.close();
  }
  const german = readSvg(
    await drawer.svg(picture(samples.timeline(4, ['A'])), options(1_200, 'light', { lang: 'de' })),
  );
  t.ok(german.texts.some(({ content }) => content === '23. Nov. 2026'));
  const unknown = drawer.svg(picture(samples.bars(['a'])), options(1_200, 'light', { lang: 'not a language' }));
  t.strictSame(readSvg(await unknown).problems, []);
});

t.test('what is left out is counted below the picture, and a shortened label has its whole text', async (t) => {
  const notes = async (content: Picture['content']): Promise<string[]> =>
    readSvg(await drawer.svg(picture(content), options(1_200)))
      .texts.map(({ content: text }) => text)
      .filter((text) => text.startsWith('… and '));
  t.strictSame(await notes(samples.bars(names(100))), ['… and 40 more bars']);
  t.strictSame(await notes(samples.grid(names(400), names(2))), ['… and 200 more rows']);
  t.strictSame(await notes(samples.timeline(210, ['A'])), ['… and 10 more rows']);
  t.strictSame(await notes(samples.figures(61)), ['… and 1 more figures']);
  t.strictSame(await notes(samples.treemap(8, 5)), []);
  const long = readSvg(await drawer.svg(picture(samples.grid([LONG], ['x'])), options(400)));
  t.ok(long.titles.includes(LONG.trim()));
});

t.test('the largest pictures with long texts stay below 4 MB', async (t) => {
  const long = (i: number): string => `${i} ${LONG}`;
  const labels = Array.from({ length: 500 }, (_, i) => ({ label: long(i), href: `/api/v1/cards/${i}` }));
  const children = labels.map((label) => ({ ...label, shape: 'leaf' as const, note: LONG }));
  const spans = Array.from({ length: 50 }, (_, i) => ({
    from: `20${10 + i}-01-01`,
    to: `20${10 + i}-12-31`,
    label: long(i),
    color: '#0072b2',
  }));
  const all: Picture['content'][] = [
    {
      kind: 'grid',
      rowTitle: LONG,
      columnTitle: LONG,
      rows: labels,
      columns: labels,
      cells: labels.flatMap(({ href }, row) =>
        labels
          .slice(0, 60)
          .map((_, column) => ({ row, column, href, texts: [LONG, LONG, '3', '4', '5', LONG], value: row })),
      ),
    },
    {
      kind: 'nested',
      boxes: children.map((box) => ({ ...box, shape: 'container' as const, children: children.slice(0, 4) })),
    },
    {
      kind: 'timeline',
      from: '2010-01-01',
      to: '2059-12-31',
      legend: [],
      groups: [{ label: LONG, items: labels.map((label) => ({ ...label, spans })) }],
    },
    {
      kind: 'treemap',
      unit: LONG,
      nodes: labels.map((label, i) => ({
        ...label,
        value: i,
        text: LONG,
        children: labels.map((one) => ({ ...one, value: 1, text: LONG })),
      })),
    },
  ];
  for (const content of all) {
    const svg = await drawer.svg(picture(content), options(4_000, 'light', { publicUrl: 'https://ea.example.com' }));
    t.ok(svg.length < MAX_BYTES, `${content.kind}: ${svg.length} bytes`);
    t.strictSame(readSvg(svg).problems.slice(0, 5), [], content.kind);
  }
});

t.test('the checks of these tests find what they are for', async (t) => {
  const svg = await drawer.svg(picture(samples.figures(2)), options(1_200));
  t.strictSame(readSvg(svg).problems, []);
  const changed = (from: string | RegExp, to: string): string[] => {
    const other = svg.replace(from, to);
    t.not(other, svg);
    return readSvg(other).problems.map((problem) => problem.replace(/[“”\d.]+/g, '').trim());
  };
  const first = /<text x="36"/;
  t.match(changed(first, '<text x="-30"').join(), 'is cut');
  t.match(changed(first, '<text transform="scale(0.2)" x="36"').join(), 'px high');
  t.match(changed(/font-weight="700" fill="#16202a"/, 'fill="#cccccc"').join(), '#cccccc');
  t.match(changed(/ textLength="[\d.]+"/, '').join(), 'has no measured width');
  t.match(changed(/(<text [^>]*y=")[\d.]+("[^>]*>412 app)/, '$156$2').join(), 'touches');
  t.match(changed('</svg>', '<script/></svg>').join(), 'element script');
  t.match(changed('</svg>', '<rect style="a" onclick="b" fill="url(http://x)"/></svg>').join(), 'attribute style');
  t.match(changed('</svg>', '').join(), 'not well-formed');
  t.match(changed(/id="p\w+-description"/, 'id="x"').join(), 'no element');
});
