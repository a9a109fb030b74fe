/** Suppliers and duplicates over HTTP: what is found, what each reader sees of it, and decisions that outlive runs and changes of names. */
import t from 'tap';
import { testApp, until, type AnyBody } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
const { admin } = app;
const PATH = app.prefix;
const [architect, viewer] = await Promise.all([app.asUser('architect'), app.asUser('viewer')]);
type Caller = typeof viewer;

const make = async (type: string, name: string, more = {}): Promise<string> => {
  const { status, body } = await admin.post('/cards', { type, name, ...more });
  t.equal(status, 201, JSON.stringify(body));
  return String(body.id);
};
const relate = async (type: string, source_id: string, target_id: string): Promise<void> => {
  t.equal((await admin.post('/relations', { type, source_id, target_id })).status, 201);
};
const analyse = async (kind: string): Promise<void> => {
  const { body, status } = await architect.post(`${PATH}/${kind}/analyse`);
  t.equal(status, 201, JSON.stringify(body));
  const run = await until(async () => {
    const { body: one } = await viewer.get(`${PATH}/runs/${body.id}`);
    return ['done', 'failed', 'cancelled'].includes(String(one['state'])) && one;
  }, 30_000);
  t.match(run, { state: 'done', percent: 100 });
};
const suppliers = async (who: Caller = viewer, query = {}): Promise<AnyBody[]> => {
  const { body, status } = await who.get(`${PATH}/suppliers`, {
    query: { page_size: 200, sort_by: 'name', sort_dir: 'asc', ...query },
  });
  t.equal(status, 200, JSON.stringify(body));
  t.equal(body.total, body.items.length);
  return body.items;
};
const names = async (who: Caller = viewer, query = {}): Promise<string[]> =>
  (await suppliers(who, query)).map((one) => String(one['name']));
const named = async (name: string, who: Caller = viewer): Promise<AnyBody> => {
  const found = (await suppliers(who)).find((one) => one['name'] === name);
  t.ok(found, `${name} is a supplier`);
  return (await who.get(`${PATH}/suppliers/${found!['id']}`)).body;
};
const change = async (name: string, body: object): Promise<AnyBody> => {
  const { id } = await named(name, architect);
  const answer = await architect.patch(`${PATH}/suppliers/${id}`, body);
  t.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

// Applications have an attribute that names their vendor.
const { sections } = (await admin.get('/metamodel/types/Application')).body as unknown as {
  sections: { key: string; fields: object[] }[];
};
sections[0]!.fields.push({ key: 'vendor', label: 'Vendor', kind: 'text' });
t.equal((await admin.patch('/metamodel/types/Application', { sections })).status, 200);

const application = async (name: string, vendor: string | undefined, cost: number, more = {}): Promise<string> =>
  await make('Application', name, {
    attributes: { costTotalAnnual: cost, businessCriticality: 'missionCritical', ...(vendor && { vendor }) },
    ...more,
  });
const acme = await make('Provider', 'Acme Inc.');
const acmeGmbh = await make('Provider', 'ACME GmbH');
const globex = await make('Provider', 'Globex');
const globexCloud = await make('Provider', 'Globex Cloud', { parent_id: globex });
const initech = await make('Provider', 'Initech');
const text = 'Keeps scanned invoices of all branches for ten years and finds them by number, amount and supplier.';
const archive = await application('Invoice Archive', 'Acme Corporation', 100, { description: text });
const twin = await application('Archive for Rechnungen', 'International Business Machines', 50, { description: text });
const test = await application('Invoice Archive Test', undefined, 10, { description: text });
const desk = await application('Help Desk', 'IBM; Initech Ltd', 40);
const capability = await make('BusinessCapability', 'Archiving');
await relate('providerToApplication', acme, archive);
await relate('providerToApplication', globexCloud, desk);
await relate('applicationToBusinessCapability', archive, capability);
await relate('applicationToBusinessCapability', desk, capability);

const seen = ['cards.view', 'relations.view', 'costs.view', 'insightlens.view', 'insightlens.manage'];
const role = async (key: string, permissions: string[], types = {}): Promise<Caller> => {
  t.equal((await admin.post('/roles', { key, label: key, permissions, types })).status, 201);
  return await app.asUser(key);
};
const poor = await role(
  'poor',
  seen.filter((one) => one !== 'costs.view'),
);
const blind = await role('blind', seen, { Provider: { 'cards.view': false } });
const loose = await role(
  'loose',
  seen.filter((one) => one !== 'relations.view'),
);
await Promise.all([analyse('suppliers'), analyse('duplicates')]);

t.test('suppliers are grouped by their names, with what depends on them', async (t) => {
  t.strictSame(await names(architect), ['ACME GmbH', 'Globex', 'Globex Cloud', 'IBM', 'Initech']);
  const all = await suppliers(architect);
  t.match(Object.fromEntries(all.map((one) => [one['name'], one])), {
    'ACME GmbH': { cards: 2, spellings: 3, dependants: 1, spend: 100, state: 'proposed' },
    IBM: { cards: 0, spellings: 2, dependants: 2, spend: 90 },
    Initech: { cards: 1, dependants: 1, spend: 40 },
    Globex: { cards: 1, dependants: 0, spend: null },
  });
  // Of 100 + 40 + 90 + 40.
  t.equal(all[0]!['share'], 0.37037);
  t.strictSame(await names(architect, { search: 'machines' }), ['IBM']);
  t.strictSame(await names(architect, { card_id: desk }), ['Globex Cloud', 'IBM', 'Initech']);
  t.strictSame(await names(architect, { state: 'confirmed' }), []);
  const { body: first } = await architect.get(`${PATH}/suppliers`, {
    query: { page_size: 2, sort_by: 'spend', sort_dir: 'desc' },
  });
  t.equal(first.total, 5);
  t.match(first.items, [{ name: 'ACME GmbH' }, { name: 'IBM' }]);
});

const foundSuppliers = async () =>
  await app.query<{ subject_id: string; data: { card_ids: string[] } }>(
    "select subject_id, data from events where type = 'insightlens_supplier.found' order by position",
  );
const notices = async (who: Caller): Promise<unknown[]> =>
  (await who.get('/notifications', { query: { page_size: 100 } })).body.items
    .filter((one) => one['kind'] === 'insightlens.new_findings' && one['title'] === 'New findings: Suppliers')
    .map((one) => one['id']);

t.test('new suppliers are announced once, to those who see the cards that name them', async (t) => {
  const found = await until(async () => {
    const events = await foundSuppliers();
    return events.length >= 5 && events;
  });
  const all = await suppliers(architect);
  t.strictSame(found.map(({ subject_id }) => subject_id).sort(), all.map(({ id }) => String(id)).sort());
  const of = async (name: string) => {
    const { id } = all.find((one) => one['name'] === name)!;
    return found.find(({ subject_id }) => subject_id === id)!.data.card_ids;
  };
  t.strictSame(await of('IBM'), [twin, desk].sort(), 'the cards that name it');
  t.strictSame(await of('Globex'), [globex]);
  t.strictSame((await notices(architect)).length, 1, 'those who decide are notified once');
  await analyse('suppliers');
  t.equal((await foundSuppliers()).length, 5, 'not again');
  const hooli = await make('Provider', 'Hooli');
  await analyse('suppliers');
  await until(async () => (await foundSuppliers()).length === 6);
  t.strictSame((await foundSuppliers()).at(-1)!.data.card_ids, [hooli]);
  await app.query('delete from cards where id = $1', [hooli]);
  await analyse('suppliers');
});

t.test('a supplier has its names with reasons, and its lock-in', async (t) => {
  t.match(await named('ACME GmbH', architect), {
    names: [{ key: 'acme', spellings: ['ACME GmbH', 'Acme Corporation', 'Acme Inc.'], count: 3, reason: null }],
    supplier_cards: [{ id: acmeGmbh }, { id: acme }],
    // Its only card has one capability, which another supplier's card supports.
    lock_in: { score: 0, by_criticality: [{ key: 'missionCritical', count: 1, irreplaceable: 0 }] },
    dependent_cards: [{ id: archive, criticality: 'missionCritical', replaceable: 1, cost: 100 }],
    currency: 'EUR',
  });
  const ibm = await named('IBM', architect);
  t.match(ibm, {
    names: [{ key: 'ibm' }, { key: 'international business machines', reason: 'alias' }],
    lock_in: { score: 50, by_criticality: [{ count: 2, irreplaceable: 1 }] },
  });
});

t.test('the tree has parents by hierarchy, and the concentration', async (t) => {
  const { body } = await architect.get(`${PATH}/suppliers/tree`);
  const items = body.items as unknown as AnyBody[];
  const id = (name: string): unknown => items.find((one) => one['name'] === name)!['id'];
  t.match(
    items.find((one) => one['name'] === 'Globex Cloud'),
    { parent_id: id('Globex'), evidence: 'hierarchy' },
  );
  t.equal(body['total_spend'], 270);
  const hhi = [100, 90, 40, 40].reduce((sum, one) => sum + (one / 270) ** 2, 0);
  const { by_spend } = body['concentration'] as { by_spend: { hhi: number; effective_suppliers: number } };
  t.equal(by_spend.hhi.toFixed(5), hhi.toFixed(5));
  t.equal(by_spend.effective_suppliers, Math.round(100 / by_spend.hhi) / 100);
});

t.test('a reader sees the names of cards and the costs that this reader sees, in every figure', async (t) => {
  t.strictSame(
    (await suppliers(poor)).map((one) => [one['spend'], one['share']]),
    Array.from({ length: 5 }, () => [null, null]),
  );
  const { body: tree } = await poor.get(`${PATH}/suppliers/tree`);
  t.match(tree, { total_spend: null, concentration: { by_spend: { hhi: null, largest_share: null } } });
  t.match(await named('ACME GmbH', poor), { spend: null, dependent_cards: [{ cost: null }] });
  t.strictSame(await names(blind), ['Acme Corporation', 'IBM', 'Initech Ltd'], 'without the cards of suppliers');
  const { id } = await named('Globex', architect);
  t.equal((await blind.get(`${PATH}/suppliers/${id}`)).status, 404);
  t.equal((await blind.patch(`${PATH}/suppliers/${id}`, { state: 'confirmed' })).status, 404);
  const { id: visible } = await named('Acme Corporation', blind);
  t.match((await blind.patch(`${PATH}/suppliers/${visible}`, { merge: [id] })).body.errors, [{ field: '/merge/0' }]);
  t.equal((await named('Globex Cloud', loose))['dependants'], 0, 'without relations');
  t.equal((await viewer.patch(`${PATH}/suppliers/${visible}`, { state: 'confirmed' })).status, 403);
});

t.test('decisions hold at once, and are kept by ten runs in which names change', async (t) => {
  const before = await named('Initech', architect);
  t.match((await architect.patch(`${PATH}/suppliers/${before['id']}`, { split: { keys: ['none'] } })).body.errors, [
    { field: '/split/keys/0' },
  ]);
  t.match((await architect.patch(`${PATH}/suppliers/${before['id']}`, { split: { keys: ['initech'] } })).body.errors, [
    { field: '/split' },
  ]);
  const stale = { headers: { 'if-match': '"99"' } };
  t.equal((await architect.patch(`${PATH}/suppliers/${before['id']}`, { state: 'confirmed' }, stale)).status, 412);
  const globexId = (await named('Globex', architect))['id'];
  const again = { headers: { 'idempotency-key': 'merge' } };
  const path = `${PATH}/suppliers/${before['id']}`;
  const merged = [
    await architect.patch(path, { merge: [globexId], name: 'Initech Group' }, again),
    await architect.patch(path, { merge: [globexId], name: 'Initech Group' }, again),
  ];
  t.match(merged, [{ status: 200 }, { status: 200 }]);
  t.match(merged[0]!.body, { name: 'Initech Group', state: 'confirmed', version: Number(before['version']) + 1 });
  const ibm = await change('IBM', {
    name: 'IBM',
    split: { keys: ['international business machines'], name: 'IBM Archive' },
  });
  t.match(ibm['names'], [{ key: 'ibm' }]);
  const cards = await change('ACME GmbH', { split: { card_ids: [acmeGmbh] } });
  t.match(cards['supplier_cards'], [{ id: acme }]);
  const expected = ['ACME GmbH', 'Acme Inc.', 'Globex Cloud', 'IBM', 'IBM Archive', 'Initech Group'];
  t.strictSame(await names(architect), expected);
  t.strictSame(await names(blind), ['Acme Corporation', 'IBM', 'IBM Archive', 'Initech Ltd'], 'without the given name');
  for (let n = 1; n <= 10; n++) {
    await admin.patch(`/cards/${initech}`, { name: `Umbrella ${'abcdefghij'[n - 1]!} Ltd` });
    await admin.patch(`/cards/${globex}`, { name: `Hooli ${'klmnopqrst'[n - 1]!}` });
    await admin.patch(`/cards/${desk}`, {
      attributes: { vendor: n % 2 ? 'I.B.M. Inc.; Initech' : 'IBM; Initech Ltd' },
    });
    await analyse('suppliers');
    t.strictSame(await names(architect), expected, `run ${n}`);
  }
  t.match(await named('Initech Group', architect), { id: before['id'], cards: 2, state: 'confirmed' });
  t.match((await named('IBM Archive', architect))['names'], [{ key: 'international business machines' }]);
  const events = await app.query("select data from events where type = 'insightlens_supplier.decided'");
  t.equal(events.length, 3);
});

t.test('duplicates are pairs with evidence, and clusters with a recommendation', async (t) => {
  const { body } = await viewer.get(`${PATH}/duplicates`);
  t.equal(body.total, 1);
  t.match(body.items[0], { pairs: [{ state: 'pending' }] });
  const cluster = body.items[0] as unknown as {
    cards: { id: string }[];
    pairs: { finding_id: string; card_ids: string[] }[];
  };
  t.strictSame(cluster.cards.map(({ id }) => id).sort(), [archive, twin].sort(), 'but not its test system');
  t.match((body.items[0] as AnyBody)['recommendation'], { keep: archive, reasons: ['most_relations'] });
  const [pair] = cluster.pairs;
  const { body: finding } = await viewer.get(`${PATH}/findings/${pair!.finding_id}`);
  t.match(finding, { rule: 'duplicate', evidence: { name: 1, text: 1, relations: null }, severity: 'high' });
  t.strictSame((await viewer.get(`${PATH}/duplicates`, { query: { card_id: desk } })).body.items, []);
  t.strictSame((await viewer.get(`${PATH}/duplicates`, { query: { card_id: test } })).body.items, []);
  const hidden = await role('hidden', seen, { Application: { 'cards.view': false } });
  t.strictSame((await hidden.get(`${PATH}/duplicates`)).body.items, []);
});

t.test('a dismissed pair stays dismissed when the cards are renamed and the analysis runs again', async (t) => {
  const [cluster] = (await viewer.get(`${PATH}/duplicates`)).body.items as unknown as {
    pairs: { finding_id: string }[];
  }[];
  const id = cluster!.pairs[0]!.finding_id;
  t.match((await architect.post(`${PATH}/findings/${id}/transition`, { to: 'dismissed' })).body, {
    state: 'dismissed',
  });
  t.strictSame((await viewer.get(`${PATH}/duplicates`)).body.items, []);
  for (let n = 1; n <= 10; n++) {
    await admin.patch(`/cards/${twin}`, { name: `Invoice ${n % 2 ? 'Archiv' : 'Archive'}${n > 5 ? 's' : ''}` });
    await admin.patch(`/cards/${archive}`, { description: `${text} ${n}` });
    await analyse('duplicates');
    t.strictSame((await viewer.get(`${PATH}/duplicates`, { query: { card_id: archive } })).body.items, [], `run ${n}`);
  }
  t.match((await viewer.get(`${PATH}/findings/${id}`)).body, { state: 'dismissed', is_current: true });
});

t.test('a pair that rests on shared cards is shown to those who see these and relations', async (t) => {
  const description =
    'Books rooms and parking places, prints badges for visitors and informs the reception about arrivals';
  const rooms = await make('BusinessCapability', 'Visitors');
  const vendor = await make('Provider', 'Receptions');
  const pair = [
    await make('Application', 'Zentora', { description }),
    await make('Application', 'Kalmivo', { description }),
  ];
  for (const card of pair) {
    await relate('applicationToBusinessCapability', card, rooms);
    await relate('providerToApplication', vendor, card);
  }
  await analyse('duplicates');
  const shown = async (who: Caller): Promise<number> =>
    Number((await who.get(`${PATH}/duplicates`, { query: { card_id: pair[0]! } })).body.total);
  t.equal(await shown(viewer), 1);
  t.equal(await shown(poor), 1);
  t.equal(await shown(loose), 0, 'without relations');
  t.equal(await shown(await role('aimless', seen, { BusinessCapability: { 'cards.view': false } })), 0);
  const { body } = await viewer.get(`${PATH}/findings`, { query: { card_id: rooms } });
  t.match(body.items, [{ rule: 'duplicate', evidence: { relations: 1, shared: { capabilities: 1 } } }]);
});
