import type { Test } from 'tap';
import { matches, wordsOf } from './naive-answers.js';
import { writtenCards } from './names-in-scripts.js';
import { searchTerms } from './search-terms.js';
import { each, PAGE, type Card, type List, type World } from './together-world.js';

/** The hits of a search with their exact total. */
async function find(
  { get, keys }: World,
  search: string,
  more: Record<string, string> = {},
): Promise<{ total: number; keys: string[] }> {
  const { items, total, total_relation } = await get<List<Card>>('/cards', {
    search,
    total: 'exact',
    page_size: PAGE,
    fields: 'name',
    ...more,
  });
  return { total: total_relation === 'eq' ? total : Number.NaN, keys: items.map(({ id }) => keys.get(id)!) };
}

/** Checks that names in every script are found in every spelling, and stored unchanged. */
export async function checkNames(t: Test, world: World): Promise<void> {
  const { texts, exported, get } = world;
  const wrong: string[] = [];
  const searches = writtenCards.flatMap((card) => [
    ...card.found.map((search) => ({ card, search, isFound: true })),
    ...(card.missed ?? []).map((search) => ({ card, search, isFound: false })),
  ]);
  await each(searches, async ({ card, search, isFound }) => {
    const answer = await find(world, search, { type: 'DataObject' });
    if (answer.keys.includes(card.key) !== isFound)
      wrong.push(`${search} ${isFound ? 'misses' : 'finds'} ${card.name}`);
    const words = wordsOf(search);
    const hits = texts.filter((text) => matches(text, words)).map((text) => text.card);
    const all = hits.filter(({ type }) => type === 'DataObject').map(({ key }) => key);
    if (answer.keys.sort().join() !== all.sort().join())
      wrong.push(`${search}: ${answer.keys.join()} and not ${all.join()}`);
    // The list of few cards may be read without the index of words, the facets of all cards use it.
    const { total } = await get<{ total: number }>('/cards/facets', { search });
    if (total !== hits.length) wrong.push(`${search}: ${total} among all and not ${hits.length}`);
  });
  t.same(wrong, []);
  t.ok(searches.length > 150, `${searches.length} searches`);
  const kept = exported
    .filter(({ type }) => type === 'DataObject')
    .map(({ name, alias, description }) => [name, alias, description]);
  t.same(
    kept.sort(),
    writtenCards.map(({ name, alias, description }) => [name, alias, description]).sort(),
    'and are kept letter for letter',
  );
}

/** Checks that searches with terms of the data find exactly the expected cards: list, other order, some types, facets. */
export async function checkSearches(t: Test, world: World): Promise<void> {
  const { cards, texts, get } = world;
  const terms = searchTerms(cards);
  t.ok(terms.length > 150, `${terms.length} searches`);
  const sizes: number[] = [];
  const wrong: string[] = [];
  const check = (what: string, answer: { total: number; keys: string[] }, hits: string[]): void => {
    if (answer.total !== hits.length) wrong.push(`${what}: ${answer.total} and not ${hits.length}`);
    else if (hits.length <= PAGE && answer.keys.sort().join('\n') !== hits.sort().join('\n'))
      wrong.push(`${what}: other cards`);
  };
  await each(terms, async (search, i) => {
    const words = wordsOf(search);
    const hits = texts.filter((text) => matches(text, words)).map(({ card }) => card);
    sizes.push(hits.length);
    // Of a large result only the total is compared.
    const page_size = String(hits.length > PAGE ? 1 : PAGE);
    check(
      search,
      await find(world, search, { page_size }),
      hits.map(({ key }) => key),
    );
    if (i % 3 === 0)
      check(
        `${search} by relevance`,
        await find(world, search, { sort_by: 'relevance', page_size }),
        hits.map(({ key }) => key),
      );
    if (i % 3 === 1)
      check(
        `${search} in two types`,
        await find(world, search, { type: 'ITComponent,Provider', sort_by: 'updated_at', sort_dir: 'desc' }),
        hits.filter(({ type }) => type === 'ITComponent' || type === 'Provider').map(({ key }) => key),
      );
    if (i % 3 === 2) {
      const { total } = await get<{ total: number }>('/cards/facets', { search });
      if (total !== hits.length) wrong.push(`${search} by facets: ${total} and not ${hits.length}`);
    }
  });
  t.same(wrong, []);
  t.ok(
    sizes.some((n) => n > 2_000) &&
      sizes.filter((n) => n === 1).length > 10 &&
      sizes.filter((n) => n > 1 && n < 100).length > 50,
    `from none to ${Math.max(...sizes)} hits`,
  );
}
