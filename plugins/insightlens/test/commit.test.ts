/** Commits of proposals: as a whole or not at all, with the rights of the one who commits, and with a draft decision. */
import t from 'tap';
import type { AnyBody } from '../../../test/support/app.js';
import { PATH, REQUIREMENT, billing as landscape, changesOf } from './proposals.js';

const { admin, asUser, architect, host, query, make, propose, stored, cards } = await landscape();
const { capability: billing, portal } = cards;
// First, since a proposal that names an initiative does not exist for those who do not see it.
t.test('what the one who commits may not see is refused without telling what it is', async (t) => {
  const all = ['insightlens.view', 'insightlens.manage', 'cards.view', 'cards.create', 'cards.bulk', 'adr.manage'];
  const permissions = [...all, 'relations.view', 'relations.manage'];
  const types = { Initiative: { 'cards.view': false } };
  await admin.post('/roles', {
    key: 'planless',
    label: 'Planless',
    permissions: [...permissions, 'costs.view'],
    types,
  });
  await admin.post('/roles', { key: 'costless', label: 'Costless', permissions });
  const { id } = await propose({ title: 'Hidden parts' });
  const cards = [
    { ref: 'b', type: 'Initiative', name: 'Hidden plan' },
    { ref: 'a', type: 'Application', name: 'Priced', attributes: { costTotalAnnual: 98765 } },
  ];
  t.equal((await architect.patch(`${PATH}/${id}`, { change_set: { cards, relations: [] } })).status, 200);
  const before = await stored();
  for (const role of ['planless', 'costless']) {
    const { status, body } = await (await asUser(role)).post(`${PATH}/${id}/commit`, {});
    t.equal(status, 422, `${role}: ${JSON.stringify(body)}`);
    t.match(body.errors, [{ field: '/change_set', reason: /not visible/ }], role);
    t.equal(body.errors.length, 1, role);
    t.notMatch(JSON.stringify(body), /Initiative|Hidden plan|Priced|costTotal|98765/);
  }
  // Its author knows the change set, and is told which card has a type that does not exist for this user any more.
  const own = await asUser('planless');
  const mine = await propose({ title: 'Own parts' }, own);
  const change_set = { cards: [{ ...cards[1], attributes: {} }, cards[0]], relations: [] };
  t.equal((await own.patch(`${PATH}/${mine.id}`, { change_set })).status, 200);
  const refused = await own.post(`${PATH}/${mine.id}/commit`, {});
  t.equal(refused.status, 422, JSON.stringify(refused.body));
  t.match(refused.body.errors, [{ field: '/change_set/cards/1', reason: /Initiative/ }]);
  t.strictSame(await stored(), before, 'nothing was stored');
});

t.test('a commit creates everything in one transaction, once', async (t) => {
  const proposal = await propose({ title: 'Pay online' });
  const at = `${PATH}/${proposal.id}/commit`;
  const key = { headers: { 'idempotency-key': 'commit-1' } };
  const first = await architect.post(at, {}, key);
  t.equal(first.status, 200, JSON.stringify(first.body));
  const after = await stored();
  const again = await architect.post(at, {}, key);
  t.strictSame(again.body, first.body);
  t.equal((await architect.post(at, {})).body.code, 'invalid_state');
  t.strictSame(await stored(), after, 'nothing twice');
  const outcome = first.body['outcome'] as { initiative_id: string; relation_ids: string[]; adr: { id: string } };
  t.equal(outcome.relation_ids.length, 3);
  t.match((await architect.get(`/cards/${outcome.initiative_id}`)).body, {
    name: 'Pay online',
    type: 'Initiative',
    description: REQUIREMENT,
  });
  t.match((await architect.get(`/adr/${outcome.adr.id}`)).body, {
    status: 'draft',
    title: 'Pay online',
    card_ids: [billing, portal].sort(),
  });
  t.match(first.body, { state: 'committed', committed_by: architect.user.id });
});

t.test('of 5 commits at once one succeeds', async (t) => {
  const { id } = await propose({ title: 'At once' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => architect.post(`${PATH}/${id}/commit`, {})));
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
  const rows = await query(`select from cards where name = 'At once'`);
  t.equal(rows.length, 1);
});

t.test('a commit that fails leaves nothing, and names the fields', async (t) => {
  const gone = await make('Application', 'Invoice payment helper');
  const proposal = await propose({ title: 'Stale' });
  const at = `${PATH}/${proposal.id}`;
  const changes = changesOf(proposal);
  const edit = async (change_set: object): Promise<void> => {
    const { status, body } = await architect.patch(at, { change_set });
    t.equal(status, 200, JSON.stringify(body));
  };
  await edit({
    ...changes,
    relations: [
      ...changes.relations,
      { type: 'initiativeToApplication', source: { ref: 'initiative' }, target: { id: gone } },
    ],
  });
  await architect.post(`/cards/${gone}/archive`);
  const before = await stored();
  const stale = await architect.post(`${at}/commit`, {});
  t.match(stale, {
    status: 422,
    body: {
      errors: [
        { field: `/change_set/relations/${changes.relations.length}/target/id`, reason: 'names an archived card' },
      ],
    },
  });
  await edit({
    cards: [
      ...changes.cards,
      { ref: 'x', type: 'Nonsense', name: 'X' },
      { ref: 'y', type: 'Application', name: 'Y', attributes: { none: 1 } },
    ],
    relations: [],
  });
  const wrong = await architect.post(`${at}/commit`, {});
  t.equal(wrong.status, 422);
  t.match(wrong.body.errors.map(({ field }) => field).sort(), [
    '/change_set/cards/1/type',
    '/change_set/cards/2/attributes/none',
  ]);
  await edit({
    cards: changes.cards,
    relations: [{ type: 'applicationToBusinessCapability', source: { ref: 'initiative' }, target: { id: billing } }],
  });
  const ends = await architect.post(`${at}/commit`, {});
  t.match(ends, { status: 422, body: { errors: [{ field: '/change_set/relations/0/source/id' }] } });
  t.strictSame(await stored(), before, 'nothing was stored');
  const reader = ['cards.view', 'insightlens.view', 'insightlens.manage', 'cards.create', 'cards.bulk'];
  await admin.post('/roles', { key: 'reader', label: 'Reader', permissions: reader });
  await edit(changes);
  for (const who of [await asUser('reader')]) {
    t.equal((await who.post(`${at}/commit`, {})).status, 403, 'without the right to decide');
    t.equal((await who.post(`${at}/commit`, { with_decision: false })).status, 403, 'without the right to relate');
  }
  t.strictSame(await stored(), before, 'nothing was stored');
  await admin.patch('/settings/modules/adr', { enabled: false });
  const made = await architect.post(`${at}/commit`, {});
  t.match(made, { status: 200, body: { outcome: { adr: null, adr_reason: 'no_module' } } });
});

interface Decision {
  context: string;
  decision: string;
  options: { title: string; pros: string[]; cons: string[] }[];
  card_ids: string[];
}
const decisionOf = async (committed: AnyBody): Promise<Decision> => {
  const { adr } = committed['outcome'] as { adr: { id: string } };
  return (await architect.get<Decision>(`/adr/${adr.id}`)).body;
};

t.test('the draft decision has the new cards, and options with what speaks for and against them', async (t) => {
  await admin.patch('/settings/modules/adr', { enabled: true });
  const proposal = await propose({ title: 'Decided' });
  t.equal(proposal['option_id'], 'O1');
  const { options } = proposal['design'] as { options: { id: string; kind: string }[] };
  const build = options.find(({ kind }) => kind === 'build')!;
  const changed = await architect.patch(`${PATH}/${proposal.id}`, { option_id: build.id });
  t.equal(changed.body['option_id'], build.id);
  const { status, body } = await architect.post(`${PATH}/${proposal.id}/commit`, {});
  t.equal(status, 200, JSON.stringify(body));
  const { cards: created } = body['outcome'] as { cards: { id: string }[] };
  const decision = await decisionOf(body);
  t.strictSame(decision.card_ids, [billing, ...created.map(({ id }) => id)].sort());
  t.equal(created.length, 2);
  t.match(decision.decision, new RegExp(`^Proposed: ${build.id}: build an application\\. .*: 2\\.$`));
  t.equal(decision.context, REQUIREMENT);
  t.equal(decision.options.length, options.length);
  for (const { title, pros, cons } of decision.options) t.ok(pros.length + cons.length > 0, title);
  t.match(decision.options[0], {
    title: 'O1: extend an existing application',
    pros: ['Has these words of the requirement: Customers, invoices, online.', 'The application is in use.'],
    cons: [/^Lacks these words of the requirement: pay, /, 'The application has to be changed.'],
  });
  // A decision is read by users who do not see the cards, costs or relations from which it was concluded.
  t.notMatch(JSON.stringify(decision), /Invoice portal|Customer billing|4321|relation/);
  const edited = await propose({ title: 'Edited' });
  const { cards: some } = changesOf(edited);
  const patched = await architect.patch(`${PATH}/${edited.id}`, { change_set: { cards: some, relations: [] } });
  t.equal(patched.body['option_id'], null);
  const made = await architect.post(`${PATH}/${edited.id}/commit`, {});
  t.match((await decisionOf(made.body)).decision, /a change set that was edited/);
});

t.test('a name that is taken is refused with its field, also at the same moment', async (t) => {
  const capability = 'Unique capability';
  await make('BusinessCapability', capability);
  const first = await propose({ title: 'Named' });
  const change_set = { cards: [{ ref: 'x', type: 'BusinessCapability', name: capability }], relations: [] };
  t.equal((await architect.patch(`${PATH}/${first.id}`, { change_set })).status, 200);
  const taken = await architect.post(`${PATH}/${first.id}/commit`, {});
  t.equal(taken.status, 422, JSON.stringify(taken.body));
  t.match(taken.body.errors, [{ field: '/change_set/cards/0/name', reason: 'is taken by an active sibling' }]);
  const several = [first];
  for (let i = 0; i < 3; i++) several.push(await propose({ title: `Named ${i}` }));
  const same = { cards: [{ ref: 'x', type: 'BusinessCapability', name: 'At the same moment' }], relations: [] };
  for (const { id } of several) t.equal((await architect.patch(`${PATH}/${id}`, { change_set: same })).status, 200);
  const answers = await Promise.all(several.map(({ id }) => architect.post(`${PATH}/${id}/commit`, {})));
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, body } of answers.filter((one) => one.status !== 200)) {
    t.ok([409, 422].includes(status), JSON.stringify(body));
    t.match(body.errors, [{ field: '/change_set/cards/0/name' }], JSON.stringify(body));
  }
  t.equal((await query(`select from cards where name = 'At the same moment'`)).length, 1);
});

t.test('one who sees less than the author commits no more than this', async (t) => {
  const commits = ['insightlens.view', 'insightlens.manage', 'cards.view', 'cards.create', 'cards.bulk', 'adr.manage'];
  const related = [...commits, 'relations.view', 'relations.manage'];
  await admin.post('/roles', { key: 'no_costs', label: 'No costs', permissions: related });
  await admin.post('/roles', {
    key: 'no_plans',
    label: 'No plans',
    permissions: [...related, 'costs.view'],
    types: { Initiative: { 'cards.view': false } },
  });
  const { id } = await propose({ title: 'Less' });
  const cards = [
    { ref: 'a', type: 'Application', name: 'Priced', attributes: { costTotalAnnual: 98765 } },
    { ref: 'b', type: 'Initiative', name: 'Hidden plan' },
  ];
  t.equal((await architect.patch(`${PATH}/${id}`, { change_set: { cards, relations: [] } })).status, 200);
  const before = await stored();
  await admin.post('/roles', { key: 'unrelated', label: 'Unrelated', permissions: commits });
  const [committed] = (await architect.get(PATH, { query: { state: 'committed' } })).body.items;
  const outcome = (await (await asUser('unrelated')).get(`${PATH}/${committed!.id}`)).body['outcome'];
  t.match(outcome, { cards: [{}], relation_ids: [] });
  t.equal((outcome as { relation_ids: string[] }).relation_ids.length, 0);
  for (const role of ['no_costs', 'no_plans']) {
    const { status, body } = await (await asUser(role)).post(`${PATH}/${id}/commit`, {});
    t.ok([403, 404, 422].includes(status), `${role}: ${status} ${JSON.stringify(body)}`);
    t.strictSame(await stored(), before, role);
  }
});

t.test('a name that is taken while the commit waits is refused with its field', async (t) => {
  const name = 'Taken meanwhile';
  const { id } = await propose({ title: 'Waits' });
  const cards = ['Free', name].map((one, i) => ({ ref: `r${i}`, type: 'BusinessCapability', name: one }));
  t.equal((await architect.patch(`${PATH}/${id}`, { change_set: { cards, relations: [] } })).status, 200);
  let commit: Promise<{ status: number; body: AnyBody }> | undefined;
  await host.transactions.run(host.systemContext('test'), async (uow) => {
    await host.cards.bulkIn(uow, [{ op: 'create', ref: 'x', card: { type: 'BusinessCapability', name } }]);
    commit = architect.post<AnyBody>(`${PATH}/${id}/commit`, {});
    // It waits for this transaction at the index over names.
    for (let waits = 0; waits === 0; )
      [{ n: waits } = { n: 0 }] = await query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
  });
  const { status, body } = await commit!;
  t.equal(status, 422, JSON.stringify(body));
  t.match(body.errors, [{ field: '/change_set/cards/1/name', reason: 'is taken by an active sibling' }]);
  t.equal((await query(`select from cards where name in ('Free', $1)`, [name])).length, 1);
});

t.test('a proposal is not committed after its cards were changed, until it is refreshed', async (t) => {
  const proposal = await propose({ title: 'Outdated' });
  const at = `${PATH}/${proposal.id}`;
  const namedOf = (body: AnyBody): Record<string, boolean> =>
    Object.fromEntries(
      (body['named_cards'] as { id: string; is_changed: boolean }[]).map(({ id, is_changed }) => [id, is_changed]),
    );
  t.strictSame(Object.values(namedOf(proposal)).filter(Boolean), []);
  await architect.patch(`/cards/${portal}`, { description: 'It is replaced next year.' });
  const seen = await architect.get(at);
  t.equal(namedOf(seen.body)[portal], true);
  t.equal(namedOf(seen.body)[billing], false);
  const before = await stored();
  const refused = await architect.post(`${at}/commit`, {});
  const relations = changesOf(proposal).relations;
  const fields = relations.flatMap(({ source, target }, i) => [
    ...(source.id === portal ? [`/change_set/relations/${i}/source/id`] : []),
    ...(target.id === portal ? [`/change_set/relations/${i}/target/id`] : []),
  ]);
  t.ok(fields.length > 0);
  t.match(refused, { status: 409, body: { code: 'insightlens_proposal_outdated', card_ids: [portal] } });
  t.strictSame(
    refused.body.errors.map(({ field }) => field),
    fields,
  );
  t.strictSame(await stored(), before, 'nothing was stored');
  // An edit by one who has the state of before does not hide the change.
  for (const patch of [{ title: 'Outdated still' }, { change_set: changesOf(proposal) }]) {
    t.equal((await architect.patch(at, patch)).status, 200);
    t.equal((await architect.post(`${at}/commit`, {})).body.code, 'insightlens_proposal_outdated');
  }
  // Cards that the change set does not name are shown only.
  t.equal((await architect.patch(at, { refresh: true })).status, 200);
  t.equal(namedOf((await architect.get(at)).body)[portal], false);
  const [other] = (proposal['named_cards'] as { id: string }[]).filter(
    ({ id }) => !JSON.stringify(relations).includes(id),
  );
  await architect.patch(`/cards/${other!.id}`, { description: 'Changed.' });
  t.equal(namedOf((await architect.get(at)).body)[other!.id], true);
  // A card that is named later counts from then on.
  const late = await make('Application', 'Named later');
  const change_set = {
    ...changesOf(proposal),
    relations: [...relations, { type: 'initiativeToApplication', source: { ref: 'initiative' }, target: { id: late } }],
  };
  t.equal((await architect.patch(at, { change_set })).status, 200);
  await architect.patch(`/cards/${late}`, { name: 'Renamed later' });
  t.match((await architect.post(`${at}/commit`, {})).body, { code: 'insightlens_proposal_outdated', card_ids: [late] });
  t.match((await architect.patch(at, { refresh: true })).status, 200);
  const made = await architect.post(`${at}/commit`, {});
  t.equal(made.status, 200, JSON.stringify(made.body));
  await architect.patch(`/cards/${late}`, { name: 'Renamed again' });
  t.equal(namedOf((await architect.get(at)).body)[late], false, 'of what was committed nothing is outdated');
});
