/** Which links refer to cards, and which cards a generated diagram has; without a service. */
import t from 'tap';
import { cardOfLink } from '../content/card-shapes.js';
import { nearPart } from '../generating.js';

t.test('links to pages of cards of this service refer to the cards', (t) => {
  const id = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
  const own = 'https://lintel.example/base';
  for (const link of [
    `${own}/cards/${id}`,
    `${own}/#/x/cards/${id.toUpperCase()}?tab=1`,
    `/api/v1/cards/${id}`,
    ` ${own}/cards/${id}/diagrams `,
  ])
    t.equal(cardOfLink(link, own), id, link);
  for (const link of [
    `https://lintel.example/cards/${id}`,
    `${own}.evil/cards/${id}`,
    `https://other.example/cards/${id}`,
    `/cards/${id}`,
    `${own}/cards/${id}0`,
    `${own}/cards/x`,
    '',
    undefined,
  ])
    t.equal(cardOfLink(link, own), undefined, String(link));
  t.equal(cardOfLink(`${own}/cards/${id}`, undefined), undefined);
  t.end();
});

t.test('of too many relations, those of the nearest cards are drawn', (t) => {
  const reached = Array.from({ length: 60 }, (_, i) => ({ id: `c${i}`, name: `Card ${i}`, type: 'Application' }));
  const all = reached.flatMap(({ id }, i) =>
    reached
      .slice(i + 1)
      .map((other) => ({ id: `${id} ${other.id}`, type: 'related', source_id: other.id, target_id: id })),
  );
  const { cards: near, relations, isCut } = nearPart(reached, all, 1);
  t.equal(near[0]!.id, 'c0');
  t.ok(isCut);
  t.equal(relations.length, (near.length * (near.length - 1)) / 2, 'all relations among them');
  t.ok(relations.length <= 400 && relations.length + near.length > 400);
  t.match(nearPart(reached.slice(0, 3), [all[0]!], 1), { cards: [{ id: 'c0' }, { id: 'c1' }], isCut: false });
  t.match(nearPart(reached.slice(0, 1), [], 1), { cards: [{ id: 'c0' }], relations: [], isCut: false });
  t.end();
});
