/** The contents with which each kind of picture is tested, and the check of a drawn one. */
import type { Picture } from '@lintel/sdk';
import type { Drawings, DrawOptions } from '../pictures/index.js';
import * as samples from './picture-samples.js';
import { readSvg } from './svg.js';

export const LONG =
  'Enterprise-wide consolidated customer-relationship and order-management platform (formerly Siebel) '.repeat(3);
export const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
export const HOSTILE = [
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
export function withTexts(picture: Picture, texts: readonly string[]): Picture {
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

const { typeNames, domainNames, items } = samples;
export const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `Name ${i + 1}`);

/** Contents by kind: one element, a realistic content, many elements. */
export const contents: Record<string, readonly Picture['content'][]> = {
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
    samples.points(12, 60),
    samples.points(11, 1),
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
export const EMPTY: Record<string, Picture['content']> = {
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

export const options = (
  width: number,
  theme: DrawOptions['theme'] = 'light',
  more: Partial<DrawOptions> = {},
): DrawOptions => ({
  width,
  theme,
  lang: 'en',
  ...more,
});
export const MAX_BYTES = 4_000_000;

export async function problemsOf(drawer: Drawings, one: Picture, drawn: DrawOptions): Promise<string[]> {
  const svg = await drawer.svg(one, drawn);
  const { problems } = readSvg(svg, drawn.width >= 1_200 ? 10 : 6);
  return [...problems, ...(svg.length > MAX_BYTES ? [`${svg.length} bytes`] : [])].slice(0, 10);
}
