import t from 'tap';
import { dataAbsent } from '../support/app.js';
import { checkCsvExport, checkJsonExports } from './check-exports.js';
import { checkFacets } from './check-facets.js';
import { checkImpact } from './check-impact.js';
import { checkNames, checkSearches } from './check-search.js';
import { checkTrees } from './check-trees.js';
import type { RelationUpsert } from './client.js';
import { linkKey } from './naive-answers.js';
import { writtenCards } from './names-in-scripts.js';
import { differing, keyOf, loadWorld, PAGE, type List } from './together-world.js';

t.test(
  'three sources and names in many scripts together answer as their files say',
  { skip: dataAbsent },
  async (t) => {
    const world = await loadWorld((close) => {
      t.teardown(close);
    });
    const { expected, cards, ids, landscape, loaded, get } = world;

    t.test('everything exists once, and unresolved references are reported', async (t) => {
      t.same(differing([...ids.keys()], [...expected.cards.keys()]), [], 'every card, and no other');
      t.same(loaded.landscape.verdicts.card, { create: landscape.cards.length }, 'cards of the landscape');
      t.same(loaded.written.verdicts.card, { create: writtenCards.length }, 'cards of the table');
      const dangling = [...loaded.capabilities.dangling, ...loaded.marketplace.dangling].map(
        ({ type, source, target }) => linkKey({ type, source: keyOf(source), target: keyOf(target) }),
      );
      const lines: RelationUpsert[] = loaded.landscape.refused.map(
        ({ line }) => landscape.relations[line - landscape.cards.length - 1]!,
      );
      dangling.push(
        ...lines.map(({ type, source, target }) => linkKey({ type, source: keyOf(source), target: keyOf(target) })),
      );
      t.same(differing(dangling, expected.dangling.map(linkKey)), [], 'relations without a target');
      t.same(
        [
          ...new Set(
            loaded.landscape.refused.flatMap(({ errors }) => errors.map(({ field, reason }) => `${field} ${reason}`)),
          ),
        ],
        ['target names no card'],
        'and why',
      );
      t.equal((await get<List<unknown>>('/relations', { page_size: 1 })).total, expected.relations.length, 'relations');
      t.equal((await get<List<unknown>>('/cards', { page_size: 1 })).total, cards.length, 'total of the list');
    });

    t.test('names in every script are found in every spelling', (t) => checkNames(t, world));
    t.test('searches drawn from the data find exactly the expected cards', (t) => checkSearches(t, world));
    t.test('facets equal those counted from the files', (t) => checkFacets(t, world));
    t.test('trees equal those of the files, at every level', (t) => checkTrees(t, world));
    t.test('impact equals the result of a walk over all relations', (t) => checkImpact(t, world));
    t.test('NDJSON and JSON contain every card as it was sent', (t) => checkJsonExports(t, world));
    t.test('CSV contains every field of every card as it was sent', (t) => checkCsvExport(t, world));

    t.test('a second load changes nothing and creates no event', async (t) => {
      const changes = async (): Promise<number> =>
        (await get<List<unknown>>('/events', { type: 'card.,relation.', page_size: 1 })).total;
      const lines = await get<string>('/cards/export');
      const before = { head: await world.head(), changes: await changes(), versions: await world.versions() };
      t.equal(
        before.changes,
        cards.length + expected.relations.length + cards.filter(({ industry }) => industry !== undefined).length,
        'an event for every card, relation and tagging',
      );

      const { capabilities, marketplace } = await world.bulk();
      for (const { cards: stored, relations } of [capabilities, marketplace])
        t.same(
          [Object.keys(stored.outcomes), Object.keys(relations.outcomes)],
          [['unchanged'], ['unchanged']],
          'all unchanged',
        );
      await world.head();
      const since = async () =>
        (await get<List<{ id: number | string; type: string }>>('/events', { page_size: PAGE })).items.filter(
          ({ id }) => Number(id) > before.head,
        );
      // Cron jobs may run meanwhile, and their events do not count.
      t.same(
        (await since()).filter(({ type }) => !type.startsWith('job.')),
        [],
        'the event log tells of nothing',
      );

      const again = await world.importFiles();
      const { create: stored, ...others } = loaded.landscape.verdicts.relation;
      t.same(
        again.landscape.verdicts,
        { card: { unchanged: landscape.cards.length }, relation: { unchanged: stored, ...others } },
        'the landscape unchanged',
      );
      t.same(again.written.verdicts, { card: { unchanged: writtenCards.length }, relation: {} }, 'the table unchanged');
      const after = await world.head();
      const events = await since();
      t.equal(events.length, after - before.head, 'all events since');
      t.same(
        events.filter(({ type }) => !/^(import|job)\./.test(type)),
        [],
        'imports and their jobs tell of themselves alone',
      );
      t.equal(await changes(), before.changes, 'and nothing of cards and relations');
      t.ok((await world.versions()) === before.versions, 'every card and relation is at the version it was');
      t.ok((await get<string>('/cards/export')) === lines, 'and every card reads the same');
    });
  },
);
