/** What all pictures have in common: links, languages, notes and sizes. */
import type { Picture, TimelinePicture } from '@lintel/sdk';
import t from 'tap';
import { drawings } from '../pictures/index.js';
import { contents, LONG, names, options } from './picture-contents.js';
import * as samples from './picture-samples.js';
import { readSvg } from './svg.js';

const { picture } = samples;
const drawer = drawings();
t.teardown(() => drawer.close());

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

t.test('a map of boxes that would be very high is drawn densely', async (t) => {
  const WORDS = ['Quality', 'Management', 'Retail', 'Operations', 'Supply'];
  const label = (n: number): string => [0, 1, 2].map((place) => WORDS[(n * (place + 1) + place) % 5]).join(' ');
  const children = (n: number) =>
    [0, 1].map((place) => ({ label: `${label(n + place)} ${place}`, shape: 'leaf' as const }));
  const boxes = Array.from({ length: 200 }, (_, n) => ({
    label: label(n),
    shape: 'container' as const,
    children: children(n),
  }));
  const svg = await drawer.svg(picture({ kind: 'nested', boxes }), options(1_200));
  t.strictSame(readSvg(svg).problems, []);
  const height = Number(/ height="([\d.]+)"/.exec(svg)![1]);
  t.ok(height < 5_000, `${height} px high`);
});

t.test('points have a mark and, where there is room, their name beside it', async (t) => {
  const draw = async (count: number, days: number) => {
    const svg = await drawer.svg(picture(samples.points(count, days)), options(1_200));
    const { texts, titles } = readSvg(svg);
    return {
      names: texts.map(({ content }) => content).filter((text) => text.startsWith('Stage')),
      titles: titles.filter((title) => title.startsWith('Stage')),
      marks: svg.match(/l7 7l-7 7l-7 -7z/g)?.length,
    };
  };
  const wide = await draw(11, 66);
  t.strictSame([...wide.names].sort(), Array.from({ length: 11 }, (_, i) => `Stage ${i + 1}`).sort());
  t.equal(wide.titles[0], 'Stage 1: Feb 1, 2026', 'one day, not a period');
  const crossed = await drawer.svg(
    picture({ ...samples.points(11, 66), marker: '2026-02-02' } as TimelinePicture),
    options(1_200),
  );
  const line = crossed.indexOf('stroke-dasharray');
  const ground = crossed.search(/<rect [^>]*\/><path [^>]*\/><text [^>]*>Stage 1</);
  t.ok(line > 0 && ground > line, 'a name covers the line of today that is below it');
  const dense = await draw(60, 1);
  t.match(dense, { marks: 60, titles: { length: 60 } }, 'none is left out');
  t.strictSame((await draw(11, 5)).names.length, 5, 'a name for which there is no room is only in the title');
});

t.test('what is left out is counted below the picture, and a shortened label has its whole text', async (t) => {
  const notes = async (content: Picture['content']): Promise<string[]> =>
    readSvg(await drawer.svg(picture(content), options(1_200)))
      .texts.map(({ content: text }) => text)
      .filter((text) => text.startsWith('… and '));
  t.strictSame(await notes(samples.bars(names(100))), ['… and 40 more bars']);
  t.strictSame(await notes(samples.grid(names(400), names(2))), ['… and 200 more rows']);
  t.strictSame(await notes(samples.timeline(210, ['A'])), ['… and 10 more rows']);
  t.strictSame(await notes(samples.figures(61)), ['… and 1 more figure']);
  t.strictSame(await notes(samples.treemap(8, 5)), []);
  const long = readSvg(await drawer.svg(picture(samples.grid([LONG], ['x'])), options(400)));
  t.ok(long.titles.includes(LONG.trim()));
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
  const sign = (x: number, fill: string) =>
    `<path d="M0 0z" transform="translate(${x} 40) scale(1)" fill="${fill}"/></svg>`;
  t.match(changed('</svg>', sign(36, '#000000')).join(), 'icon M z touches');
  t.match(changed('</svg>', sign(1_190, '#000000')).join(), 'is cut');
  t.match(changed('</svg>', sign(1_000, '#eeeeee')).join(), 'on #ffffff');
  t.match(changed('</svg>', '<script/></svg>').join(), 'element script');
  t.match(changed('</svg>', '<rect style="a" onclick="b" fill="url(http://x)"/></svg>').join(), 'attribute style');
  t.match(changed('</svg>', '').join(), 'not well-formed');
  t.match(changed(/id="p\w+-description"/, 'id="x"').join(), 'no element');
});
