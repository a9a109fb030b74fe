/** The largest pictures of each kind. */
import type { Picture } from '@lintel/sdk';
import t from 'tap';
import { drawings } from '../pictures/index.js';
import { LONG, MAX_BYTES, options } from './picture-contents.js';
import { picture } from './picture-samples.js';
import { readSvg } from './svg.js';

const drawer = drawings();
t.teardown(() => drawer.close());

t.test('the largest pictures with long texts stay below 4 MB', async (t) => {
  const long = (i: number): string => `${i} ${LONG}`;
  const labels = Array.from({ length: 250 }, (_, i) => ({ label: long(i), href: `/api/v1/cards/${i}` }));
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
      boxes: children.map((box) => ({ ...box, shape: 'container' as const, children: children.slice(0, 9) })),
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
        children: labels.slice(0, 30).map((one) => ({ ...one, value: 1, text: LONG })),
      })),
    },
  ];
  for (const content of all) {
    const svg = await drawer.svg(picture(content), options(4_000, 'light', { publicUrl: 'https://ea.example.com' }));
    t.ok(svg.length < MAX_BYTES, `${content.kind}: ${svg.length} bytes`);
    t.strictSame(readSvg(svg).problems.slice(0, 5), [], content.kind);
  }
});
