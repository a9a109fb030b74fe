import { join } from 'node:path';
import { DATA_DIR, registerAdmin, sql, testApp, until } from '../support/app.js';
import { BulkClient, type CardUpsert, type LoadReport, type Tally } from './client.js';
import { expectedInventory, type ExpectedCard, type ExpectedInventory } from './expected-inventory.js';
import { ImportClient, type ImportReport } from './import-client.js';
import { loadCapabilities } from './load-capabilities.js';
import { loadFedramp } from './load-fedramp.js';
import { landscapeFile, readLandscape, type Landscape } from './load-landscape.js';
import { searchable, type Searchable } from './naive-answers.js';
import { writtenCards, writtenTable } from './names-in-scripts.js';

/** A card as the service returns it. */
export interface Card {
  id: string;
  type: string;
  external_id: string;
  name: string;
  level: number;
  path: string[];
  attributes: Record<string, unknown>;
  lifecycle: Record<string, string>;
  tags: { id: string; name: string }[];
  [member: string]: unknown;
}

export interface List<T> {
  items: T[];
  total: number;
  total_relation: string;
  next_cursor: string | null;
}

export interface ByBulk {
  capabilities: LoadReport;
  marketplace: LoadReport;
}
export interface ByImport {
  landscape: ImportReport;
  written: ImportReport;
}

/** A service with the data of all sources, and the expected data. */
export interface World {
  expected: ExpectedInventory;
  cards: readonly ExpectedCard[];
  /** The texts of the cards for searches. */
  texts: readonly Searchable[];
  landscape: Landscape;
  loaded: ByBulk & ByImport;
  /** Repeats the loads by bulk requests. */
  bulk(): Promise<ByBulk>;
  /** Repeats the imports of files. */
  importFiles(): Promise<ByImport>;
  /** The sent cards, by key. */
  sent: ReadonlyMap<string, CardUpsert>;
  /** Ids by key, and keys by id. */
  ids: ReadonlyMap<string, string>;
  keys: ReadonlyMap<string, string>;
  /** Ids of tags by name. */
  tagIds: ReadonlyMap<string, string>;
  /** All cards of the NDJSON export. */
  exported: readonly Card[];
  /** Reads from the API. @throws unless the status is 200 */
  get<T>(path: string, query?: Record<string, string | number>): Promise<T>;
  /** Waits until all events have their position. @returns the last one */
  head(): Promise<number>;
  /** Ids and versions of all cards and relations. */
  versions(): Promise<string>;
}

/** The largest page size of the API. */
export const PAGE = 200;
const AT_ONCE = 4;

/** Calls `ask` for all items, a few at a time. */
export async function each<T>(all: readonly T[], ask: (one: T, place: number) => Promise<void>): Promise<void> {
  const queue = [...all.entries()];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await ask(next[1], next[0]);
    }),
  );
}

/** The first items that are only in one of the lists, and a difference in length. */
export function differing(is: readonly string[], right: readonly string[]): string[] {
  const [these, those] = [new Set(is), new Set(right)];
  const length = is.length === right.length ? [] : [`${is.length} and not ${right.length}`];
  return [
    ...length,
    ...is.filter((one) => !those.has(one)).map((one) => `has ${one}`),
    ...right.filter((one) => !these.has(one)).map((one) => `lacks ${one}`),
  ].slice(0, 10);
}

export const keyOf = ({ type, external_id }: { type: string; external_id: string }): string => `${type} ${external_id}`;

/** Records the cards that a loader sends. */
class Recorder extends BulkClient {
  readonly sent: CardUpsert[] = [];

  override cards(cards: readonly CardUpsert[]): Promise<Tally<CardUpsert>> {
    this.sent.push(...cards);
    return super.cards(cards);
  }
}

const cardsOf = (lines: string): Card[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Card);

/**
 * Loads the three sources and the cards in many scripts by bulk, by NDJSON and by CSV, then tags capabilities of the
 * first level with their industry.
 * @param teardown called with the function that closes the service
 */
export async function loadWorld(teardown: (close: () => Promise<void>) => void): Promise<World> {
  const expected = expectedInventory(DATA_DIR);
  for (const card of writtenCards) expected.cards.set(card.key, card);
  const cards = [...expected.cards.values()];
  const { origin, database, close } = await testApp();
  teardown(close);
  const { api, token } = await registerAdmin(origin);
  const client = new Recorder(origin, token);
  const imports = new ImportClient(origin, token);
  const landscape = readLandscape(join(DATA_DIR, 'landscape-cncf'));
  const file = landscapeFile(landscape);
  const bulk = async (): Promise<ByBulk> => ({
    capabilities: await loadCapabilities(client, join(DATA_DIR, 'capabilities')),
    marketplace: await loadFedramp(client, join(DATA_DIR, 'inventory-fedramp')),
  });
  const importFiles = async (): Promise<ByImport> => ({
    landscape: await imports.file('ndjson', file, 'landscape.ndjson'),
    written: await imports.file('csv', writtenTable(), 'names.csv'),
  });
  const get = async <T>(path: string, query: Record<string, string | number> = {}): Promise<T> => {
    const { status, body } = await api.get<T>(path, { query });
    if (status !== 200) throw new Error(`${path} ${JSON.stringify(query)} gave ${status}: ${JSON.stringify(body)}`);
    return body;
  };

  const loaded = { ...(await bulk()), ...(await importFiles()) };
  const written = writtenCards.map(
    ({ type, external_id, name, alias, description, options }): CardUpsert => ({
      type,
      external_id,
      name,
      alias,
      description,
      attributes: options,
    }),
  );
  const stored = cardsOf(await get<string>('/cards/export'));
  const ids = new Map(stored.map((card) => [keyOf(card), card.id]));

  const group = (
    await api.post('/metamodel/tag-groups', {
      name: 'Industry',
      mode: 'multi',
      restrict_to_types: ['BusinessCapability'],
    })
  ).body.id;
  const tagIds = new Map<string, string>();
  for (const name of [...new Set(cards.flatMap(({ industry }) => industry ?? []))].sort())
    tagIds.set(name, (await api.post(`/metamodel/tag-groups/${group}/tags`, { name })).body.id);
  await each(
    cards.filter(({ industry }) => industry !== undefined),
    async ({ key, industry }) => {
      const { status, body } = await api.put(`/cards/${ids.get(key)!}/tags`, { tag_ids: [tagIds.get(industry!)!] });
      if (status !== 200) throw new Error(`tagging ${key} gave ${status}: ${JSON.stringify(body)}`);
    },
  );

  return {
    expected,
    cards,
    texts: cards.map(searchable),
    landscape,
    loaded,
    bulk,
    importFiles,
    ids,
    tagIds,
    get,
    sent: new Map([...client.sent, ...landscape.cards, ...written].map((card) => [keyOf(card), card])),
    keys: new Map(stored.map((card) => [card.id, keyOf(card)])),
    exported: cardsOf(await get<string>('/cards/export')),
    head: async () => {
      await until(async () => (await sql(database, 'select from event_outbox limit 1')).length === 0, 20_000);
      return Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
    },
    versions: async () =>
      JSON.stringify(
        await sql(
          database,
          'select id, version from card_contents union all select id, version from relations order by id',
        ),
      ),
  };
}
