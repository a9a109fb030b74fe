/** The parts of the graph in memory. */
import fc from 'fast-check';
import t from 'tap';
import { dayNumber, NEVER, RelationGraph } from '../../core/inventory/impact/graph.js';
import { applyEvent } from '../../core/inventory/impact/graph-events.js';
import { Names } from '../../core/inventory/impact/names.js';
import { idOf, Records } from '../../core/inventory/impact/records.js';
import { uuidv7 } from '../../core/foundation/ids.js';

const NUM_RUNS = 200;

t.test('records are found after removals', async (t) => {
  const word = fc.integer({ min: 0, max: 40 });
  const step = fc.record({
    id: fc.tuple(fc.constantFrom(0, -1), fc.constant(7), word, word),
    isRemoval: fc.boolean(),
    isReusable: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const records = new Records(5, 1_000, 1_000);
      const model = new Map<string, { n: number; value: number }>();
      for (const [value, { id, isRemoval, isReusable }] of steps.entries()) {
        const known = model.get(id.join());
        if (isRemoval && known) {
          records.remove(known.n, isReusable);
          model.delete(id.join());
        } else if (!isRemoval && !known) {
          const n = records.add(...id);
          records.data[n * 5 + 4] = value;
          model.set(id.join(), { n, value });
        }
        if (records.find(...id) !== (model.get(id.join())?.n ?? 0)) return false;
      }
      return (
        records.size === model.size &&
        [...model].every(([key, { n, value }]) => {
          const [a, b, c, d] = key.split(',').map(Number) as [number, number, number, number];
          return records.find(a, b, c, d) === n && records.data[n * 5 + 4] === value;
        })
      );
    }),
    { numRuns: NUM_RUNS },
  );
  t.pass('as a map has them');
});

t.test('the capacity is limited, and all records are found', async (t) => {
  const records = new Records(5, 1, 20);
  const ids: string[] = [];
  while (!records.isFull) {
    ids.push(uuidv7());
    records.add(...idOf(ids.at(-1)!));
  }
  t.ok(ids.length >= 20 && ids.length < 64, `${ids.length}`);
  t.throws(() => records.add(1, 2, 3, 4), RangeError);
  t.strictSame(
    ids.map((id) => records.find(...idOf(id))),
    ids.map((_, i) => i + 1),
  );
  records.remove(3, true);
  t.equal(records.isFull, false);
  t.equal(records.add(1, 2, 3, 4), 3, 'a place that is free is used again');
});

t.test('ids are compared as PostgreSQL does', async (t) => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const records = new Records(4, 10, 10);
      if (one === other) return true;
      const [n, m] = [records.add(...idOf(one)), records.add(...idOf(other))];
      return Math.sign(records.compare(n, m)) === (one < other ? -1 : 1) && records.compare(n, n) === 0;
    }),
    { numRuns: NUM_RUNS },
  );
  for (const wrong of [
    '',
    'x',
    'no uuid',
    '01900000-0000-7000-8000-00000000DEAD',
    '01900000000070008000000000000dead',
    '01900000-0000-7000-8000-00000000dead\n',
  ])
    t.throws(() => idOf(wrong), wrong);
});

t.test('names are encoded like JSON', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 50 }), { maxLength: 40 }), (texts) => {
      const names = new Names();
      return texts.every((text, i) => {
        const source = Buffer.from(`<${text}>`);
        const start = i % 2 ? names.add(text) : names.addRaw(source, 1, source.length - 1);
        return (
          names.bytes.toString('utf8', start, start + names.lengthFrom(start)) === JSON.stringify(text).slice(1, -1)
        );
      });
    }),
    { numRuns: NUM_RUNS },
  );
  t.pass('each');
});

t.test('renaming a card repeatedly does not grow the memory', async (t) => {
  const graph = new RelationGraph({ cards: 3, relations: 0 }, { cards: 10, relations: 10 });
  const cards = [uuidv7(), uuidv7(), uuidv7()].map((id) => graph.addCard(idOf(id), 'Application', true));
  graph.rename(cards[0]!, 'first');
  graph.rename(cards[2]!, 'third "quoted"');
  for (let n = 0; n < 20_000; n++) graph.rename(cards[1]!, `a name that is not short, and number ${n}`);
  t.ok(graph.names.size < 2_000_000, `${graph.names.size} bytes`);
  const nameOf = (card: number): string => {
    const [start, length] = [graph.cards.data[card * 12 + 8]!, graph.cards.data[card * 12 + 9]!];
    return graph.names.bytes.toString('utf8', start, start + length);
  };
  t.strictSame(cards.map(nameOf), ['first', 'a name that is not short, and number 19999', 'third \\"quoted\\"']);
});

t.test('days are counted as PostgreSQL counts them', async (t) => {
  t.strictSame(
    ['2000-01-01', '1999-12-31', '2000-03-01', '2026-11-21', '9999-12-31'].map(dayNumber),
    [0, -1, 60, 9821, 2_921_939],
  );
  t.ok(dayNumber('9999-12-31') < NEVER);
  for (const wrong of ['', '2000-1-1', '2000-13-01', 'infinity', '10000-01-01'])
    t.throws(() => dayNumber(wrong), wrong);
});

t.test('events already in the snapshot change nothing, and those of deleted objects are skipped', async (t) => {
  const graph = new RelationGraph({ cards: 2, relations: 1 }, { cards: 10, relations: 10 });
  const [a, b, gone, relation] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const [source, target] = [a, b].map((id) => graph.addCard(idOf(id), 'Application', true)) as [number, number];
  graph.addRelation(idOf(relation), 'related', source, target, NEVER);
  let position = 0;
  const event = (type: string, id: string, data: Record<string, unknown> = {}) => ({
    position: ++position,
    type,
    occurred_at: '',
    actor: null,
    origin: 'api',
    request_id: 'r',
    change_id: 'c',
    subject: { kind: type.split('.')[0]!, id, type: type.startsWith('card') ? 'Application' : 'related', name: 'n' },
    data,
  });
  const events = [
    event('card.created', a),
    event('card.archived', a),
    event('card.restored', a),
    event('relation.created', relation, { source_id: a, target_id: b, valid_to: '2020-01-01' }),
    event('relation.updated', relation, { changes: [{ field: 'valid_to', old: '2020-01-01', new: null }] }),
    event('card.updated', gone),
    event('relation.created', uuidv7(), { source_id: a, target_id: gone, valid_to: null }),
    event('relation.updated', uuidv7(), { changes: [] }),
    event('relation.deleted', uuidv7()),
  ];
  for (const one of events) applyEvent(graph, one, false);
  t.match(
    {
      cards: graph.cards.size,
      relations: graph.relations.size,
      active: graph.cards.data[source * 12 + 7],
      validTo: graph.relations.data[12 + 7],
    },
    { cards: 2, relations: 1, active: 1, validTo: NEVER },
  );
  t.throws(() => applyEvent(graph, event('card.updated', gone), true));
  applyEvent(graph, event('card.deleted', b), true);
  t.match(
    { cards: graph.cards.size, relations: graph.relations.size, firstOut: graph.cards.data[source * 12 + 4] },
    { cards: 1, relations: 0, firstOut: 0 },
    'a card is removed with its relations',
  );
});
