/** The drawing of Gantt charts. */
import t from 'tap';
import { SaxesParser } from 'saxes';
import { dayOf } from '../calendar/days.js';
import type { Gantt, GanttRow, Mark } from '../gantt/chart.js';
import { drawGantt } from '../gantt/draw.js';
import { routeOf, type Lanes } from '../gantt/link-lines.js';
import { DEPENDENCY_TYPES } from '../schedule/types.js';
import { randomFrom } from './random-plans.js';

const HEIGHT = 25;

t.test('lines of dependencies have right angles, end at their marks, and leave labels free', async (t) => {
  const random = randomFrom(9);
  for (let round = 0; round < 400; round++) {
    const count = 2 + Math.floor(random() * 12);
    const isMilestone = Array.from({ length: count }, () => random() < 0.25);
    const marks = isMilestone.map((milestone, row): Mark => {
      const x1 = 20 + Math.floor(random() * 400);
      const x2 = milestone ? x1 + 13 : x1 + 3 + Math.floor(random() * 120);
      const label = milestone || random() < 0.4 ? { from: x2 + 6, to: x2 + 6 + 20 + Math.floor(random() * 90) } : null;
      return { x1, x2, y: row * HEIGHT + HEIGHT / 2, half: milestone ? 6.5 : 6, label };
    });
    const lanes: Lanes = { marks, isMilestone, top: (row) => row * HEIGHT };
    const from = Math.floor(random() * count);
    const to = (from + 1 + Math.floor(random() * (count - 1))) % count;
    const type = DEPENDENCY_TYPES[Math.floor(random() * 4)]!;
    const { points } = routeOf({ from, to, type }, lanes);
    const label = `round ${round}: ${type} ${from} to ${to}: ${JSON.stringify({ points, marks })}`;
    const touches = ([x, y]: readonly [number, number], mark: Mark): boolean =>
      x >= mark.x1 - 0.1 && x <= mark.x2 + 0.1 && Math.abs(y - mark.y) <= mark.half + 0.1;
    if (!touches(points[0]!, marks[from]!) || !touches(points.at(-1)!, marks[to]!)) t.fail(`ends, ${label}`);
    for (let i = 1; i < points.length; i++) {
      const [[xa, ya], [xb, yb]] = [points[i - 1]!, points[i]!];
      if (Math.abs(xa - xb) > 0.01 && Math.abs(ya - yb) > 0.01) t.fail(`an angle, ${label}`);
      if (Math.abs(ya - yb) > 0.01) continue;
      // Vertical lines that must cross a label are hidden behind it; horizontal ones would strike it through.
      for (const { y, label: text } of marks)
        if (text && Math.abs(y - ya) < 7.5 && Math.max(xa, xb) > text.from && Math.min(xa, xb) < text.to)
          t.fail(`a label, ${label}`);
    }
  }
});

const day = dayOf;
const row = (more: Partial<GanttRow>): GanttRow => ({
  outline: '1',
  depth: 0,
  title: 'Task',
  kind: 'task',
  start: day('2026-03-02'),
  finish: day('2026-03-06'),
  completion: 0,
  isCritical: false,
  baseline: null,
  href: '/api/v1/ppm/initiatives/x/wbs/y',
  ...more,
});
const chart = (rows: GanttRow[], more: Partial<Gantt> = {}): Gantt => ({
  title: 'Plan',
  rows,
  links: [],
  today: day('2026-03-04'),
  nonWorking: [],
  baseline: null,
  part: null,
  ...more,
});

/** All texts of a drawing; throws if it is not well-formed. */
function textsOf(svg: string): { names: string[]; texts: string[]; ids: string[] } {
  const [names, texts, ids]: [string[], string[], string[]] = [[], [], []];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, attributes }) => {
    names.push(local);
    const { id } = attributes;
    if (id) ids.push(id.value);
  });
  parser.on('text', (text) => texts.push(text));
  parser.write(svg).close();
  return { names, texts, ids };
}

t.test('hostile titles, links, languages and extreme spans', async (t) => {
  const hostile = '<script>alert("1")</script>\u202e\u0000\ud800 & \'quotes\' ' + 'x'.repeat(2_000);
  const rows = [
    row({ kind: 'summary', title: hostile, finish: day('2026-04-01') }),
    row({ title: 'a]]>b', isCritical: true, completion: 50 }),
    row({ kind: 'milestone', title: hostile, depth: 19, outline: Array.from({ length: 20 }, () => '99').join('.') }),
  ];
  const nonWorking = [7, 8, 14, 15].map((date) => day(`2026-03-${String(date).padStart(2, '0')}`));
  const links = [{ from: 1, to: 2, type: 'FS' as const, isCritical: true }];
  for (const [options, isLinked] of [
    [{ width: 1_200, theme: 'light', lang: 'en' }, false],
    [{ width: 400, theme: 'dark', lang: 'de', publicUrl: 'https://ea.example.org/' }, true],
    [{ width: 4_000, theme: 'light', lang: 'zz-nonsense-', publicUrl: 'javascript:alert(1)' }, false],
  ] as const) {
    const svg = drawGantt(chart(rows, { title: hostile, links, nonWorking, baseline: hostile }), options);
    const { names, ids } = textsOf(svg);
    t.notOk(names.includes('script'));
    t.equal(
      svg.includes('href="https&#58;//ea.example.org/api/v1') || svg.includes('href="https://ea.example.org/api/v1'),
      isLinked,
    );
    t.notMatch(svg, /javascript:/);
    t.equal(new Set(ids).size, ids.length, 'identifiers are unique');
    t.equal(
      svg,
      drawGantt(chart(rows, { title: hostile, links, nonWorking, baseline: hostile }), options),
      'the same again',
    );
  }
  t.match(
    textsOf(drawGantt(chart(rows), { width: 1_200, theme: 'light', lang: 'de' })).texts.join('|'),
    /Vorgang.*Heute/,
  );
  t.match(textsOf(drawGantt(chart([]), { width: 1_200, theme: 'light', lang: 'en' })).texts.join('|'), /no items/);
  // From a day to nine thousand years: the axis has labels, but not too many.
  for (const [from, to] of [
    ['2026-03-02', '2026-03-02'],
    ['2026-01-01', '2026-03-31'],
    ['2026-01-01', '2028-12-31'],
    ['2000-01-01', '2099-12-31'],
    ['0001-01-01', '9999-12-31'],
  ]) {
    const svg = drawGantt(chart([row({ start: day(from!), finish: day(to!) })]), {
      width: 1_200,
      theme: 'light',
      lang: 'en',
    });
    const { texts } = textsOf(svg);
    t.ok(texts.length > 8 && texts.length < 250, `${from} to ${to}: ${texts.length} texts`);
  }
});

t.test('rows may be a part, and distant dependencies are counted', async (t) => {
  const rows = Array.from({ length: 700 }, (_, i) => row({ outline: String(i + 1), title: `Task ${i + 1}` }));
  const links = Array.from({ length: 400 }, (_, i) => ({
    from: i,
    to: i + 200,
    type: 'FS' as const,
    isCritical: false,
  }));
  const { texts } = textsOf(
    drawGantt(chart(rows, { links, part: { first: 11, total: 9_000 } }), { width: 1_200, theme: 'light', lang: 'en' }),
  );
  t.ok(texts.some((text) => text.includes('Items 11 to 710 of 9,000')));
  t.ok(texts.includes('400 dependencies between distant rows are not drawn.'));
  // The axis is repeated after each 50 rows.
  t.equal(texts.filter((text) => text === 'Finish').length, 14);
});
