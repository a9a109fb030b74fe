import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { DATA_DIR, dataAbsent, registerAdmin, sql, testApp, until } from '../support/app.js';
import { BulkClient } from './client.js';
import { distinctNames } from './distinct-names.js';
import { catalogueFigures, marketplaceFigures } from './figures.js';
import { loadCapabilities } from './load-capabilities.js';
import { loadFedramp } from './load-fedramp.js';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

interface Card {
  id: string;
  type: string;
  name: string;
  alias: string | null;
  external_id: string;
  parent_id: string | null;
  path: string[];
  level: number;
  lifecycle: Record<string, string>;
  attributes: Record<string, unknown>;
  version: number;
}
interface Relation {
  description: string | null;
  valid_from: string | null;
  valid_to: string | null;
}
interface List<T> {
  items: T[];
  total: number;
  next_cursor: string | null;
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b);

t.test('names that repeat among siblings get their id, all others are unchanged', async (t) => {
  const card = (external_id: string, name: string, parent?: string) => ({
    type: 'A',
    external_id,
    name,
    ...(parent !== undefined && { parent: { type: 'A', external_id: parent } }),
  });
  const { cards, suffixed } = distinctNames([
    card('1', 'Billing'),
    card('2', 'BILLING '),
    card('3', 'Straße'),
    card('4', 'STRASSE'),
    card('5', 'Billing', '1'),
  ]);
  t.same(
    cards.map(({ name }) => name),
    ['Billing (1)', 'BILLING (2)', 'Straße (3)', 'STRASSE (4)', 'Billing'],
  );
  t.equal(suffixed, 4);
});

t.test('real data is loaded through the public API, complete and only once', { skip: dataAbsent }, async (t) => {
  const folders = { capabilities: join(DATA_DIR, 'capabilities'), fedramp: join(DATA_DIR, 'inventory-fedramp') };
  const catalogue = catalogueFigures(folders.capabilities);
  const market = marketplaceFigures(folders.fedramp);
  const { origin, database, close } = await testApp();
  t.teardown(close);
  const { api, token } = await registerAdmin(origin);
  const client = new BulkClient(origin, token);

  const total = async (path: string): Promise<number> =>
    (await api.get<List<unknown>>(path, { query: { page_size: 1 } })).body.total;
  /** All items of a list, read by cursor. */
  const all = async <T>(path: string): Promise<T[]> => {
    const items: T[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { body }: { body: List<T> } = await api.get<List<T>>(path, {
        query: { page_size: 200, ...(cursor !== undefined && { cursor }) },
      });
      items.push(...body.items);
      cursor = body.next_cursor;
    }
    return items;
  };
  const exported = async (): Promise<string> => (await api.get<string>('/cards/export')).body;
  /** Waits until all events have their position. @returns the last one */
  const head = async (): Promise<number> => {
    await until(async () => (await sql(database, 'select from event_outbox limit 1')).length === 0, 20_000);
    return Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
  };
  const versions = async (): Promise<string> =>
    JSON.stringify(
      await sql(
        database,
        'select id, version from card_contents union all select id, version from relations order by id',
      ),
    );

  const capabilitiesLoaded = await loadCapabilities(client, folders.capabilities);
  const fedrampLoaded = await loadFedramp(client, folders.fedramp);
  const lines = await exported();
  const cards = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Card);
  const of = (type: string): Map<string, Card> =>
    new Map(cards.filter((card) => card.type === type).map((card) => [card.external_id, card]));
  const capabilities = of('BusinessCapability');
  const applications = of('Application');
  const organizations = of('Organization');
  const cardTotals = {
    BusinessCapability: catalogue.names.size,
    BusinessContext: catalogue.streams.length,
    Application: market.packages.size,
    Provider: market.providers.size,
    Organization: market.organizations.size,
  };
  const allCards = sum(cardTotals);
  const stages = [...catalogue.stages];
  const stagesThere = stages.filter((pair) => catalogue.names.has(pair.split('|')[1]!));
  const relationTotals = {
    businessContextToBusinessCapability: stagesThere.length,
    providerToApplication: market.packages.size,
    organizationToApplication: market.uses.size,
    related: market.authorizations.size + market.underlying.size,
  };
  const allRelations = sum(relationTotals);

  t.test('the data has the known figures', async (t) => {
    t.equal(catalogue.names.size, 5_604, 'capabilities');
    t.equal(market.letters, 1_057, 'letters of authorization');
    t.equal(market.providers.size, 224, 'providers');
    t.equal(market.packages.size, 254, "packages; one of the 255 entries repeats another's id");
    t.equal(market.underlying.size, 272, 'underlying packages in this part of the data');
  });

  t.test('every card is in list, cursor pages and export exactly once', async (t) => {
    t.same(capabilitiesLoaded.cards.outcomes, { created: cardTotals.BusinessCapability + cardTotals.BusinessContext });
    t.same(fedrampLoaded.cards.outcomes, {
      created: cardTotals.Application + cardTotals.Provider + cardTotals.Organization,
    });
    for (const [type, expected] of Object.entries(cardTotals))
      t.equal(await total(`/cards?type=${type}`), expected, type);
    t.equal(await total('/cards'), allCards, 'total of all');
    t.equal(cards.length, allCards, 'as many lines in the export');
    t.equal(new Set(cards.map(({ id }) => id)).size, allCards, 'each a card of its own');
    const walked = await all<Card>('/cards?type=BusinessCapability');
    t.same(
      [walked.length, new Set(walked.map(({ id }) => id)).size],
      [catalogue.names.size, catalogue.names.size],
      'a walk by cursor meets every capability once',
    );
  });

  t.test('capabilities have their hierarchy', async (t) => {
    const levels = (ids: Iterable<string>): Record<number, number> => {
      const counts: Record<number, number> = {};
      for (const id of ids) counts[id.split('.').length] = (counts[id.split('.').length] ?? 0) + 1;
      return counts;
    };
    t.same(levels(catalogue.names.keys()), { 1: 191, 2: 1_198, 3: 4_215 }, 'the data');
    const parentOf = (id: string): string | undefined =>
      id.includes('.') ? id.slice(0, id.lastIndexOf('.')) : undefined;
    const wrong = [...catalogue.names].filter(([id, name]) => {
      const card = capabilities.get(id);
      const ancestors: string[] = [];
      for (let at = parentOf(id); at !== undefined; at = parentOf(at)) ancestors.unshift(catalogue.names.get(at)!);
      const parent = parentOf(id);
      return (
        card?.name !== name ||
        card.level !== id.split('.').length ||
        JSON.stringify(card.path) !== JSON.stringify(ancestors) ||
        card.parent_id !== (parent === undefined ? null : capabilities.get(parent)!.id)
      );
    });
    t.same(wrong, [], 'name, level, parent and path of every one');
    t.equal(await total('/cards?type=BusinessCapability&parent_id=null'), 191, 'roots');
    const [root] = catalogue.names.keys();
    const below = [...catalogue.names.keys()].filter((id) => id.startsWith(`${root!}.`));
    const { id } = capabilities.get(root!)!;
    t.equal(await total(`/cards?root_id=${id}`), below.length + 1, 'a subtree');
    t.equal(
      await total(`/cards?parent_id=${id}`),
      below.filter((child) => parentOf(child) === root).length,
      'children',
    );
  });

  t.test('names in other languages and scripts are unchanged and are found', async (t) => {
    t.equal(catalogue.translations.size, 324, 'the data');
    const wrong = [...catalogue.translations].filter(
      ([id, names]) => capabilities.get(id)?.alias !== [...new Set(names)].join(' · '),
    );
    t.same(wrong, [], 'every alias as it was given');
    const [id, names] = [...catalogue.translations].find(([, all]) => all.length === 4)!;
    t.match(names.join(), /\p{Script=Cyrillic}.*\p{Script=Han}/u, 'Russian and Chinese among them');
    for (const name of names) {
      const { body } = await api.get<List<Card>>('/cards', { query: { search: name } });
      t.ok(
        body.items.some((card) => card.external_id === id),
        name,
      );
    }
    const marked = [...applications.values()].filter((card) => /[®™–]/.test(card.name));
    t.ok(marked.length > 0, `signs beyond ASCII: ${marked[0]?.name}`);
  });

  t.test('every relation exists, and unresolved references are reported', async (t) => {
    for (const [type, expected] of Object.entries(relationTotals))
      t.equal(await total(`/relations?type=${type}`), expected, type);
    t.equal(await total('/relations'), allRelations, 'total of all');
    t.same(
      [capabilitiesLoaded.relations.failures, fedrampLoaded.relations.failures],
      [[], []],
      'none was refused for another reason',
    );
    const reported = capabilitiesLoaded.dangling.map(
      ({ source, target }) => `${source.external_id.replace('value-stream:', '')}|${target.external_id}`,
    );
    t.same(new Set(reported), new Set(stages.filter((pair) => !stagesThere.includes(pair))), 'stages');
    t.same(
      new Set(fedrampLoaded.dangling.map(({ source, target }) => `${source.external_id}|${target.external_id}`)),
      market.dangling,
      'packages',
    );
  });

  t.test('errors in the data of the marketplace are corrected', async (t) => {
    t.same(new Set(organizations.keys()), market.organizations, 'agencies and their parts');
    const misplaced = [...organizations].filter(([path, card]) => [...card.path, card.name].join(' / ') !== path);
    t.same(misplaced, [], 'each below its agency');
    t.same(
      [...applications.values()].filter(
        ({ name, external_id }) => name !== name.trim() || external_id !== external_id.trim(),
      ),
      [],
      'no blanks around names and ids',
    );
    const criticality = new Set([...applications.values()].map((card) => card.attributes['businessCriticality']));
    t.same(
      criticality,
      new Set(['missionCritical', 'businessCritical', 'businessOperational', 'administrative']),
      'every impact level was understood',
    );
    t.equal(
      [...applications.values()].filter((card) => card.attributes['hostingType'] === undefined).length,
      0,
      'and every service model',
    );
    t.ok(
      [...applications.values()].some((card) => card.attributes['hostingType'] === 'hybrid'),
      'comma lists among them',
    );
    const uses = await all<Relation>('/relations?type=organizationToApplication');
    t.equal(
      uses.reduce((n, { description }) => n + Number(/\d+$/.exec(description ?? '')?.[0]), 0),
      market.letters,
      'every letter is part of a relation',
    );
    t.same(
      uses.filter(({ valid_from, valid_to }) => valid_to !== null && (valid_from ?? '') > valid_to),
      [],
      'none ends before it begins',
    );
    t.ok(
      fedrampLoaded.notes.some((note) => note.includes('2/29/2023')),
      'an invalid date is reported',
    );
  });

  t.test('a second run changes nothing and creates no event', async (t) => {
    const before = { head: await head(), versions: await versions() };
    t.equal(await total('/events?type=card.created'), allCards, 'an event for every card');
    t.equal(await total('/events?type=relation.created'), allRelations, 'and for every relation');
    const again = async (script: string, data: string): Promise<string[]> => {
      const { stdout } = await run(process.execPath, [join(here, script), '--url', origin, '--data', data], {
        env: { ...process.env, LINTEL_TOKEN: token },
      });
      return stdout.match(/^(cards: .*|relations: .*|dangling: \d+ relations)/gm) ?? [];
    };
    const { BusinessCapability, BusinessContext, ...ofMarket } = cardTotals;
    const { businessContextToBusinessCapability, ...betweenMarket } = relationTotals;
    t.same(await again('load-capabilities.js', folders.capabilities), [
      `cards: ${BusinessCapability + BusinessContext} unchanged`,
      `relations: ${businessContextToBusinessCapability} unchanged`,
      `dangling: ${stages.length - stagesThere.length} relations`,
    ]);
    t.same(await again('load-fedramp.js', folders.fedramp), [
      `cards: ${sum(ofMarket)} unchanged`,
      `relations: ${sum(betweenMarket)} unchanged`,
      `dangling: ${market.dangling.size} relations`,
    ]);
    t.ok((await versions()) === before.versions, 'every card and relation is at the version it was');
    t.ok((await exported()) === lines, 'and every card reads the same');
    await head();
    // Cron jobs may run meanwhile, and their events do not count.
    const reported = await sql(database, `select type from events where position > $1 and subject_kind <> 'job'`, [
      before.head,
    ]);
    t.same(reported, [], 'there is no event');
  });
});
