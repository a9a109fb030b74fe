/** The landscape against an independent computation over the lists of cards and relations, for callers with different rights. */
import t from 'tap';
import { registerAdmin, testApp } from '../../../test/support/app.js';
import type { Answer, Box } from '../reports/landscape-schemas.js';
import { CALLERS, fillWorld, Seen } from './relations-landscape.js';
import { counted, wrongLinks, type Card } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fillWorld(admin);

type Query = Record<string, string | number | boolean>;

/** For each card of a type, the cards at the other ends of its relations. */
function partners(seen: Seen, cards: readonly Card[], relationType: string): Map<string, string[]> {
  const found = new Map(cards.map(({ id }) => [id, [] as string[]]));
  for (const { type, source_id, target_id } of seen.relations) {
    if (type !== relationType) continue;
    found.get(source_id)?.push(target_id);
    found.get(target_id)?.push(source_id);
  }
  return found;
}

const flat = (boxes: readonly Box[]): Box[] => boxes.flatMap((box) => [box, ...flat(box.children)]);

const CRITICAL = { type: 'Application', parent_type: 'BusinessCapability', color_by: 'businessCriticality' };
const QUERIES: (Query & { parent_type: string; relation: string; level?: number })[] = [
  { ...CRITICAL, relation: 'applicationToBusinessCapability' },
  { ...CRITICAL, relation: 'applicationToBusinessCapability', level: 2 },
  { ...CRITICAL, relation: 'related', relation_type: 'related' },
  { type: 'Application', parent_type: 'Desk', relation: 'sits', color_by: 'numberOfUsers' },
  { type: 'Application', parent_type: 'Desk', relation: 'sits', level: 2 },
  { type: 'Application', parent_type: 'Desk', relation: 'sits', level: 1, color_by: 'lifecycle_phase' },
];

for (const name of CALLERS) {
  const { api } = world[name];
  t.test(`figures of ${name}`, async (t) => {
    const seen = await Seen.by(world[name], admin);
    for (const { relation, ...query } of QUERIES) {
      const at = JSON.stringify(query);
      const { status, body } = await api.get<Answer>('/reports/landscape', { query });
      t.equal(status, name === 'narrow' && query.parent_type === 'BusinessCapability' ? 422 : 200, at);
      if (status !== 200) continue;
      const cards = seen.ofType('Application');
      const far = partners(seen, cards, relation);
      const boxes = flat(body.boxes);
      const shown = seen.ofType(query.parent_type).filter(({ id }) => seen.path(id).length < (query.level ?? 99));
      t.same(boxes.map(({ id }) => id).sort(), shown.map(({ id }) => id).sort(), at);
      for (const box of boxes) {
        const within = cards.filter(({ id }) => far.get(id)!.some((other) => seen.isIn(other, box.id)));
        t.equal(box.count, within.length, `${at} ${box.name}`);
        t.equal(box.level, seen.path(box.id).length + 1);
        t.ok(box.children.every(({ id }) => seen.path(id).at(-1) === box.id));
        const own = cards.filter(({ id }) =>
          far.get(id)!.some((other) => {
            if (seen.cards.get(other)?.type !== query.parent_type) return false;
            const path = [...seen.path(other), other];
            return path[Math.min(path.length, query.level ?? 99) - 1] === box.id;
          }),
        );
        // A relation of any type may end below a box at a card that is no box.
        if (relation !== 'related') t.same(box.cards.map(({ id }) => id).sort(), own.map(({ id }) => id).sort());
      }
      const isBox = (id: string): boolean => seen.cards.get(id)?.type === query.parent_type;
      t.equal(body.unassigned.count, cards.filter(({ id }) => !far.get(id)!.some(isBox)).length, at);
      t.equal(body.total, cards.length);
      t.equal(
        body.legend.reduce((sum, { count }) => sum + count, 0),
        query.color_by === undefined ? 0 : cards.length,
      );
      if (query.color_by === 'businessCriticality') {
        const right = counted(cards, ({ attributes }) => [
          (attributes['businessCriticality'] as string | undefined) ?? null,
        ]);
        t.same(new Map(body.legend.map(({ key, count }) => [key, count])), right);
        for (const { id, color_key } of boxes.flatMap((box) => box.cards))
          t.equal(color_key, seen.cards.get(id)!.attributes['businessCriticality'] ?? null);
      }
      t.ok(body.legend.every(({ color }) => /^#[0-9a-f]{6}$/i.test(color)));
      t.equal(body.truncated, false);
      t.same((await wrongLinks(api, body, 40)).slice(0, 3), [], at);
    }
  });
}

t.test('filters of cards narrow the cards, and filters by relations leave boxes without a link', async (t) => {
  const query = { ...CRITICAL, 'attributes.timeModel': 'invest,migrate' };
  const { body } = await admin.api.get<Answer>('/reports/landscape', { query });
  const seen = await Seen.by(admin, admin);
  const cards = seen
    .ofType('Application')
    .filter(({ attributes }) => ['invest', 'migrate'].includes(String(attributes['timeModel'])));
  const far = partners(seen, cards, 'applicationToBusinessCapability');
  t.equal(body.total, cards.length);
  t.equal(body.unassigned.count, [...far.values()].filter(({ length }) => length === 0).length);
  for (const box of flat(body.boxes))
    t.equal(box.count, [...far.values()].filter((all) => all.some((id) => seen.isIn(id, box.id))).length);
  t.same((await wrongLinks(admin.api, body, 40)).slice(0, 3), []);
  const { body: related } = await admin.api.get<Answer>('/reports/landscape', {
    query: { ...CRITICAL, has_relation: 'applicationToITComponent' },
  });
  t.ok(flat(related.boxes).every(({ href }) => href === null));
  t.ok(related.total > 0 && related.total < seen.ofType('Application').length);
  t.same((await wrongLinks(admin.api, related, 40)).slice(0, 3), []);
});

t.test('invalid parameters are named together', async (t) => {
  const wrong = async (query: Query): Promise<string> => {
    const { status, body } = await admin.api.get('/reports/landscape', { query });
    return status === 422
      ? body.errors
          .map(({ field }) => field)
          .sort()
          .join()
      : String(status);
  };
  t.equal(await wrong({}), 'parent_type,type');
  t.equal(await wrong({ type: 'X', parent_type: 'Y' }), 'parent_type,type');
  t.equal(await wrong({ ...CRITICAL, relation_type: 'sits', color_by: 'nothing' }), 'color_by,relation_type');
  t.equal(
    await wrong({ type: 'Organization', parent_type: 'Provider' }),
    '200',
    'the general relation type is the only one',
  );
  t.equal(
    await wrong({ type: 'BusinessProcess', parent_type: 'BusinessProcess' }),
    'relation_type',
    'there are several',
  );
  const { status } = await world.unrelated.api.get('/reports/landscape', { query: CRITICAL });
  t.equal(status, 403);
});

t.test('as CSV: one line per card in a box', async (t) => {
  const { body: answer } = await admin.api.get<Answer>('/reports/landscape', { query: CRITICAL });
  const { body } = await admin.api.get<string>('/reports/landscape', { query: { ...CRITICAL, format: 'csv' } });
  const placed = flat(answer.boxes).reduce((sum, { cards }) => sum + cards.length, 0);
  t.equal(body.trimEnd().split('\r\n').length, placed + 1);
  t.match(body, /^Capability 0 \/ Capability 1 \/ Capability 2,/m);
});
