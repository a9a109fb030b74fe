/** To how many cards a cell may belong; without a service. */
import t from 'tap';
import type { StoredContent } from '../content/orders.js';
import { readForSaving } from '../content/save.js';
import { show } from '../content/show.js';
import type { CardState } from '../content/stored.js';

const cardOf = (i: number): string => `0198c2f4-7d3e-7a51-8b0a-${String(i).padStart(12, '0')}`;

/** Lines within each other, each from one card to the next; the innermost one has a text. */
function nested(lines: number): string {
  const shapes = Array.from(
    { length: lines + 1 },
    (_, i) =>
      `<UserObject label="C" cardId="${cardOf(i)}" id="s${i}"><mxCell vertex="1" parent="1"><mxGeometry width="9" height="9" as="geometry"/></mxCell></UserObject>`,
  );
  const edges = Array.from(
    { length: lines },
    (_, i) => `<mxCell id="e${i}" edge="1" parent="${i === 0 ? '1' : `e${i - 1}`}" source="s${i}" target="s${i + 1}"/>`,
  );
  const text = `<mxCell id="t" value="zqhush" vertex="1" parent="e${lines - 1}"/>`;
  return `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${shapes.join('')}${edges.join('')}${text}</root></mxGraphModel>`;
}

function stored(lines: number): StoredContent {
  const read = readForSaving({
    kind: 'save',
    bytes: Buffer.from(nested(lines)),
    maxBytes: 10_000_000,
    publicUrl: undefined,
  });
  if (!read.ok) throw new Error(read.message);
  const shapes = read.shapes.map((shape) => ({ ...shape, name: null, color: null }));
  return { content: read.content, shapes, held: read.held, key: 'k' };
}

const shownTo = (before: StoredContent, hidden: string): string => {
  const states = new Map(
    before.shapes.map(({ card }): [string, CardState] => [
      card,
      card === hidden ? { kind: 'hidden' } : { kind: 'visible', name: 'C', color: null, isArchived: false },
    ]),
  );
  const output = { as: 'drawio', compressed: false } as const;
  return Buffer.from(show({ kind: 'show', stored: before, states, publicUrl: undefined, output }).bytes).toString();
};

const savedBy = (before: StoredContent, hidden: string) =>
  readForSaving({
    kind: 'save',
    bytes: Buffer.from(shownTo(before, hidden)),
    maxBytes: 10_000_000,
    publicUrl: undefined,
    before: { stored: before, hidden: [hidden], gone: [] },
  });

t.test('a text within lines belongs to all their cards', (t) => {
  const before = stored(30);
  t.match(shownTo(before, 'none'), /zqhush/);
  for (const card of [0, 15, 30]) t.notMatch(shownTo(before, cardOf(card)), /zqhush/, String(card));
  const saved = savedBy(before, cardOf(0));
  t.ok(saved.ok && saved.held.some(({ cards }) => cards.length === 31), 'they are recorded');
  t.end();
});

t.test(
  'a text that belongs to more cards than are recorded is masked for all who do not see all, and not saved by them',
  (t) => {
    const before = stored(60);
    t.match(shownTo(before, 'none'), /zqhush/);
    for (const card of [0, 30, 60]) t.notMatch(shownTo(before, cardOf(card)), /zqhush/, String(card));
    t.match(savedBy(before, cardOf(60)), { ok: false, reason: 'too_complex' });
    t.end();
  },
);
