/** Whether a card is a hit of a search, according to the database and computed here from the stored search text. */
import t from 'tap';
import { searchColumns } from '../../core/foundation/text.js';
import { searchWords } from '../../core/inventory/cards/search/search-terms-repository.js';
import { expectStatus, registerAdmin, testApp } from '../support/app.js';

const app = await testApp();
t.teardown(app.close);
const { api } = await registerAdmin(app.origin);

const TEXTS = [
  'Straße',
  'STRASSE',
  'ẞ',
  'İstanbul',
  'ISTANBUL',
  'ı',
  'Café',
  'Cafe\u0301',
  'Ledger-Sub ledger',
  'subledger',
  'A',
  'a b',
  'Ωμέγας',
  'ΩΜΕΓΑΣ',
  'Привет мир',
  'Ё',
  '東京都',
  '東京 本社',
  'a→b',
  '🚀 launch',
  '☁️ cloud',
  '100% sure',
  'under_score',
  'ﬁnance',
  '①②③',
  'x'.repeat(450),
  '\u200bzero',
  'back\\slash',
  "it's",
  '3.14',
];
type Searched = Parameters<typeof searchColumns>[0];

/** Symbols, which are no words but can be searched. */
const PICTURE = /[\u2190-\u2bff\u{1f000}-\u{1faff}]/gu;
const isShort = (word: string): boolean => [...word].length <= 2;

/** Whether the card is a hit according to its texts. */
function isHit(search: string, card: Searched): boolean {
  const words = searchWords(search);
  const pictures = search.match(PICTURE) ?? [];
  if (words.length === 0 && pictures.length === 0) return false;
  const { search_name, search_text } = searchColumns(card);
  const hasWord = (word: string): boolean =>
    ` ${search_text}`.includes(` ${word}`) || (!isShort(word) && search_name.includes(word));
  const hasWords =
    words.length === 1 && pictures.length === 0 && isShort(words[0]!)
      ? search_name.startsWith(words[0]!)
      : words.every(hasWord);
  return hasWords && pictures.every((picture) => (card.name + (card.alias ?? '')).includes(picture));
}

await t.test('the database finds the cards that match by their texts', async (t) => {
  const cards: Searched[] = TEXTS.flatMap((text, n) => [
    { name: text },
    { name: `n${n}`, alias: text },
    { name: `d${n}`, description: `before ${text} after` },
    { name: `e${n}`, external_id: text },
  ]).map((card) => ({ alias: null, external_id: null, description: null, ...card }));
  expectStatus(
    await api.post('/cards/bulk', {
      mode: 'per_row',
      operations: cards.map((card) => ({ op: 'create', card: { type: 'Application', ...card } })),
    }),
    200,
    'the cards',
  );
  const stored = (
    await Promise.all(
      [1, 2].map(
        async (page) =>
          expectStatus(await api.get(`/cards?page_size=100&page=${page}`), 200, 'the list').body
            .items as unknown as (Searched & { id: string })[],
      ),
    )
  ).flat();
  t.ok(stored.length > 100, `${stored.length} cards`);

  const PARTS = TEXTS.flatMap((text) => [
    text,
    ...[[0, 2], [1], [-3]].map(([from, to]) => [...text].slice(from, to).join('')),
  ]);
  for (const search of new Set([
    ...PARTS,
    'a b',
    'ledger sub',
    'before 🚀',
    'after straß',
    'é',
    'n1 a',
    '→',
    'x'.repeat(200),
    '%',
    '_',
    '\\',
    "'",
    'ss',
  ])) {
    if (search.trim() === '' || search.length > 200) continue;
    const answer = expectStatus(
      await api.get(`/cards?page_size=100&total=exact&sort_by=created_at&search=${encodeURIComponent(search)}`),
      200,
      search,
    ).body;
    t.same(
      (answer.items as { id: string }[]).map(({ id }) => id).sort(),
      stored
        .filter((card) => isHit(search, card))
        .map(({ id }) => id)
        .sort(),
      JSON.stringify(search),
    );
  }
});
