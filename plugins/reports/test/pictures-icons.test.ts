/** Icons of card types: where they are drawn, and that only the outlines of the package are. */
import type { Picture, SinglePicture } from '@lintel/sdk';
import t from 'tap';
import { isIcon, pathDataOf } from '../pictures/icons.js';
import { drawings } from '../pictures/index.js';
import { names, options } from './picture-contents.js';
import { bars, graph, ICONS, picture, stack, typeNames } from './picture-samples.js';
import { readSvg, type SvgContent } from './svg.js';

const drawer = drawings();
t.teardown(() => drawer.close());
const draw = async (content: Picture['content'], width = 1_200): Promise<SvgContent> => {
  const drawn = readSvg(await drawer.svg(picture(content), options(width)), width >= 1_200 ? 10 : 6);
  t.strictSame(drawn.problems, []);
  return drawn;
};
/** How often each icon is drawn, most often first. */
const counts = ({ icons }: SvgContent): number[] => {
  const found = new Map<string, number>();
  for (const { outline } of icons) found.set(outline, (found.get(outline) ?? 0) + 1);
  return Array.from(found.values()).sort((a, b) => b - a);
};

t.test('the default icons of the metamodel exist; names may have _ or -', async (t) => {
  const known = ICONS.filter((name) => isIcon(name));
  t.strictSame(
    ICONS.filter((name) => !known.includes(name)),
    ['no_such_icon_at_all', '"/><script>alert(1)</script>'],
  );
  for (const name of ['layers', 'hub', 'corporate-fare', '123_outline']) t.ok(isIcon(name), name);
});

t.test('each node of a graph has its icon once, left of its name, and each entry of the legend', async (t) => {
  // Of 13 nodes, 4 are applications, 3 interfaces and 3 components; the others have none. The legend has one of each.
  const drawn = await draw(graph(13, 12));
  t.strictSame(counts(drawn), [5, 4, 4]);
  const [name] = drawn.texts.filter(({ content }) => content === 'Workday');
  const beside = drawn.icons.filter(({ top, bottom }) => top < name!.bottom && bottom > name!.top);
  t.ok(
    beside.some(({ right, fill }) => right < name!.left && name!.left - right < 40 && fill === name!.fill),
    'in the colour of the text',
  );
});

t.test('bars have icons at their categories, as columns and as rows, and in the legend', async (t) => {
  t.strictSame(
    counts(await draw(bars(typeNames))),
    Array.from({ length: 11 }, () => 1),
  );
  t.strictSame(
    counts(await draw(bars(typeNames), 400)),
    Array.from({ length: 11 }, () => 1),
  );
  t.strictSame(counts(await draw(stack(names(3), ['a', 'b']))), [1, 1]);
});

t.test('a bar whose colour can hardly be seen on the ground has a darker icon', async (t) => {
  const content: SinglePicture = {
    kind: 'bars',
    unit: '',
    categories: ['apps', 'flag'].map((icon) => ({ label: icon, icon })),
    series: [{ label: '', values: [1, 2], colors: ['#ffee99', '#774fcc'] }],
  };
  const { icons } = await draw(content);
  // That the darker one can be seen is checked for all icons.
  t.equal(icons[1]!.fill, '#774fcc');
  t.notOk(['#ffee99', '#16202a'].includes(icons[0]!.fill), icons[0]!.fill);
});

t.test('unknown and hostile names are harmless: the picture is that without icons', async (t) => {
  const hostile = [
    '"/><script>alert(1)</script>',
    '__proto__',
    'constructor',
    'toString',
    '../../../package',
    'apps"',
    ' apps',
    'APPS',
    '',
    'a'.repeat(10_000),
    'apps/../flag',
    'apps\u0000',
  ];
  const nodes = hostile.map((icon, i) => ({ id: `${i}`, label: `Node ${i}`, color: '#0f7eb5', icon }));
  const entries = hostile.map((icon, i) => ({ label: `Entry ${i}`, color: '#0f7eb5', icon }));
  const content: SinglePicture = { kind: 'graph', nodes, edges: [], legend: entries };
  const without: SinglePicture = {
    ...content,
    nodes: nodes.map((node) => ({ ...node, icon: undefined })),
    legend: entries.map((entry) => ({ ...entry, icon: undefined })),
  };
  const svg = async (one: SinglePicture): Promise<string> =>
    (await drawer.svg(picture(one), options(1_200))).replace(/\bp[\da-f]{8}-/g, '');
  t.equal(await svg(content), await svg(without));
});

t.test('only one short path is taken over from the package', async (t) => {
  const body = (d: string, more = ''): string => `<path fill="currentColor" d="${d}"${more}/>`;
  t.equal(pathDataOf(body('M1 2.5h-3e-4z')), 'M1 2.5h-3e-4z');
  for (const other of [
    body('M1 2"/><script/><path d="'),
    body('M1 2', ' onload="alert(1)"'),
    body('url(#a)'),
    `${body('M1 2')}${body('M1 2')}`,
    `<g>${body('M1 2')}</g>`,
    body('M1 2\n').replace('currentColor', 'red'),
    body('M1 '.repeat(2_000)),
    '',
  ])
    t.equal(pathDataOf(other), undefined, other.slice(0, 60));
});
