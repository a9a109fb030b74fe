/** Proposals: what is proposed without a model, what a model adds, and who sees them. */
import t from 'tap';
import { until, type AnyBody } from '../../../test/support/app.js';
import { cleanProposals } from '../architect/clean-up.js';
import { ProposalEngine } from '../architect/job.js';
import { chat, says, startProvider } from './provider.js';
import { PATH, REQUIREMENT, billing as landscape, changesOf } from './proposals.js';

const provider = await startProvider();
t.teardown(() => provider.close());
const { admin, asUser, architect, host, query, ended, propose, cards } = await landscape({
  outboundAllow: [`127.0.0.1:${provider.port}`],
});
const { capability: billing, portal, legacy } = cards;
const [other, viewer] = (await Promise.all(['architect', 'viewer'].map(asUser))) as [
  typeof architect,
  typeof architect,
];

t.test('without a model a proposal has options with their reasons, gaps, dependencies and a change set', async (t) => {
  const proposal = await propose();
  t.match(proposal, { state: 'ready', model: { used: false, reason: 'not_configured' }, advice: null });
  const design = proposal['design'] as AnyBody & { options: AnyBody[]; cards: AnyBody[] };
  t.match(design['capabilities'], [{ card_id: billing, terms: ['Customers'] }]);
  t.match(design.cards[0], { card_id: portal, terms: ['Customers', 'invoices', 'online'] });
  t.match(design['gaps'], {
    terms: ['pay', 'blockchain', 'notarisation'],
    capability_ids: [],
    has_no_capability: false,
  });
  const [best] = design.options;
  t.match(best, { id: 'O1', kind: 'extend', card_ids: [portal] });
  const reasons = best!['reasons'] as { code: string; value: unknown }[];
  t.match(Object.fromEntries(reasons.map(({ code, value }) => [code, value])), {
    covers_terms: ['Customers', 'invoices', 'online'],
    relations: 1,
    supports_capability: billing,
    costs: { 'attributes.costTotalAnnual': 4321 },
  });
  t.strictSame(design.options.map((option) => option['kind']).slice(-2), ['buy', 'build']);
  t.notOk(
    design.options.some((option) => (option['card_ids'] as string[]).includes(legacy)),
    'an application at its end is no option',
  );
  t.match(design['dependencies'], { cards: [{ card_id: billing, depth: 1 }], is_truncated: false });
  t.match(changesOf(proposal), {
    cards: [{ ref: 'initiative', type: 'Initiative' }],
    relations: [
      { type: 'initiativeToApplication', source: { ref: 'initiative' }, target: { id: portal } },
      { type: 'initiativeToBusinessCapability', source: { ref: 'initiative' }, target: { id: billing } },
      { type: 'applicationToBusinessCapability', source: { id: portal }, target: { id: billing } },
    ],
  });
  const none = await propose({ requirement: 'Zygote sequencing' });
  t.match(none, { design: { capabilities: [], cards: [], gaps: { has_no_capability: true } } });
  t.match(changesOf(none).cards, [{ type: 'Initiative' }, { type: 'Application', name: 'Zygote sequencing' }]);
});

t.test('a proposal is private, and made with the rights of its author', async (t) => {
  await admin.post('/roles', {
    key: 'narrow',
    label: 'Narrow',
    permissions: ['cards.view', 'insightlens.view', 'insightlens.manage'],
    types: { BusinessCapability: { 'cards.view': false } },
  });
  const narrow = await asUser('narrow');
  const { id } = await propose({ use_model: false });
  t.equal((await other.get(`${PATH}/${id}`)).status, 200, 'with insightlens.manage');
  // Without insightlens.manage the change is refused before the proposal is looked up.
  for (const [who, status] of [
    [viewer, 403],
    [narrow, 404],
  ] as const) {
    t.equal((await who.get(`${PATH}/${id}`)).status, 404);
    t.notMatch(JSON.stringify((await who.get(PATH)).body.items), new RegExp(id));
    for (const action of ['commit', 'cancel']) t.equal((await who.post(`${PATH}/${id}/${action}`, {})).status, status);
    t.equal((await who.send('DELETE', `${PATH}/${id}`)).status, status);
  }
  t.equal((await viewer.post(PATH, { requirement: 'Sell' })).status, 403);
  const own = await propose({}, narrow);
  t.match(own['design'], { capabilities: [], dependencies: null, gaps: { has_no_capability: true } });
  const text = JSON.stringify(own);
  t.notMatch(text, new RegExp(`${billing}|4321|"relations","card|supports_capability`));
  // Costs and relations of its author are not for those who do not see them.
  const poor = ['cards.view', 'insightlens.view', 'insightlens.manage'];
  await admin.post('/roles', { key: 'poor', label: 'Poor', permissions: poor });
  const seen = await (await asUser('poor')).get(`${PATH}/${id}`);
  t.equal(seen.status, 200);
  t.notMatch(JSON.stringify(seen.body['design']), /4321|"costs"|supports_capability|"relations"/);
  t.match(seen.body['design'], { dependencies: null });
});

t.test('a model adds words, and nothing that it invents is stored', async (t) => {
  await admin.patch('/settings/ai', {
    provider: 'openai',
    base_url: provider.base,
    model: 'small',
    api_key: 'sk',
    timeout_seconds: 20,
  });
  const evil = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
  const answer = {
    summary: `Extend [C2] for [C1]; not [C98] nor ${evil}, see http://evil.example.`,
    options: [
      { id: 'O1', reason: 'Fits [C2].' },
      { id: 'O77', reason: 'Invented.' },
    ],
    risks: ['Load on [C2]', evil],
  };
  provider.answers(chat(JSON.stringify(answer)));
  const proposal = await propose();
  t.match(proposal, {
    state: 'ready',
    model: { used: true, input_tokens: 100 },
    advice: { options: [{ id: 'O1' }], risks: ['Load on [C2]'] },
  });
  const { citations, options } = proposal['advice'] as { citations: AnyBody[]; options: AnyBody[] };
  t.equal(options.length, 1);
  t.strictSame(citations.map(({ card_id }) => card_id).sort(), [billing, portal].sort());
  t.notMatch(JSON.stringify(proposal), /O77|Invented|evil|C98/);
  // The model was told which options rest on relations.
  const unrelated = await (await asUser('poor')).get(`${PATH}/${proposal.id}`);
  t.match(unrelated, { status: 200, body: { advice: null, model: { used: true } } });
  const rows = await query('select * from insightlens_proposals where id = $1', [proposal.id]);
  t.notMatch(JSON.stringify(rows), new RegExp(`O77|evil|${evil}|C98`), 'nor stored');
  t.notMatch(JSON.stringify(provider.calls.map(({ body }) => body)), new RegExp(`4321|${portal}`));

  provider.answers((response, call, index) =>
    chat(index === 0 ? '{"summary":1}' : JSON.stringify(answer))(response, call, index),
  );
  t.match(await propose(), { model: { used: true, input_tokens: 200 } }, 'repaired once');
  for (const [answering, reason, calls] of [
    [chat('{"summary":1}'), 'invalid_answer', 2],
    [says(500, 'x'), 'unavailable', 3],
  ] as const) {
    provider.answers(answering);
    t.match(await propose(), { state: 'ready', advice: null, model: { used: false, reason } }, reason);
    t.equal(provider.calls.length, calls);
  }
});

t.test('a change set is shown without costs and types that its reader does not see', async (t) => {
  const { id } = await propose({ use_model: false });
  const change_set = {
    cards: [
      { ref: 'a', type: 'Application', name: 'Planned', attributes: { costTotalAnnual: 98765, productName: 'Known' } },
      { ref: 'b', type: 'Initiative', name: 'Hidden plan' },
    ],
    relations: [{ type: 'initiativeToApplication', source: { ref: 'b' }, target: { ref: 'a' } }],
  };
  t.strictSame((await architect.patch(`${PATH}/${id}`, { change_set })).body['change_set'], change_set);
  const read = async (role: string) => (await (await asUser(role)).get(`${PATH}/${id}`)).body;
  t.match(await read('poor'), { change_set: { cards: [{ attributes: { productName: 'Known' } }, { ref: 'b' }] } });
  t.notMatch(JSON.stringify(await read('poor')), /98765|costTotalAnnual/);
  await admin.post('/roles', {
    key: 'no_plans',
    label: 'No plans',
    permissions: ['cards.view', 'costs.view', 'insightlens.view', 'insightlens.manage'],
    types: { Initiative: { 'cards.view': false } },
  });
  const seen = await read('no_plans');
  t.match(seen, { change_set: { cards: [{ ref: 'a', attributes: { costTotalAnnual: 98765 } }], relations: [] } });
  t.notMatch(JSON.stringify(seen['change_set']), /Hidden plan|Initiative/);
  t.equal((await architect.send('DELETE', `${PATH}/${id}`)).status, 204);
});

t.test('a job that is interrupted again and again does not pay for each attempt', async (t) => {
  provider.answers(
    chat(
      JSON.stringify({
        summary: 'Ok.',
        options: [
          { id: 'O1', reason: 'a' },
          { id: 'O1', reason: 'b' },
        ],
        risks: [],
      }),
    ),
  );
  for (const [attempt, used] of [
    [3, true],
    [4, false],
  ] as const) {
    const id = host.newId();
    await query(
      `insert into insightlens_proposals (id, state, asked_by, title, requirement) values ($1, 'queued', $2, 'x', $3)`,
      [id, other.user.id, REQUIREMENT],
    );
    const job = {
      attempt,
      payload: { proposal_id: id, use_model: true },
      ctx: host.systemContext('test'),
      guard: () => Promise.resolve(),
      signal: AbortSignal.timeout(60_000),
    };
    t.strictSame(await new ProposalEngine(host).run(job as never), { state: 'ready' });
    const { body } = await other.get(`${PATH}/${id}`);
    t.match(body, { model: { used, reason: used ? null : 'unavailable' }, design: {}, change_set: {} });
    if (used) t.strictSame((body['advice'] as AnyBody)['options'], [{ id: 'O1', reason: 'a' }], 'each option once');
  }
  t.equal(provider.calls.length, 1);
});

t.test('one proposal of a user is made at a time, and can be cancelled', async (t) => {
  let isAsked = false;
  provider.answers(() => (isAsked = true));
  const { id } = (await architect.post(PATH, { requirement: REQUIREMENT })).body;
  await until(() => Promise.resolve(isAsked), 20_000);
  t.match((await architect.post(PATH, { requirement: REQUIREMENT })).body, { code: 'insightlens_proposal_active' });
  t.equal((await architect.patch(`${PATH}/${id}`, { title: 'X' })).body.code, 'invalid_state');
  t.match((await architect.post(`${PATH}/${id}/cancel`)).body, { state: 'cancelled' });
  await until(
    async () =>
      (await query(`select from jobs where type = 'insightlens.propose' and state in ('queued', 'running')`)).length ===
      0,
    15_000,
  );
  t.match(await ended(id), { state: 'cancelled' });
  await admin.patch('/settings/ai', { provider: 'none' });
  const stuck = host.newId();
  const job = host.newId();
  await query(
    `insert into insightlens_proposals (id, state, asked_by, title, requirement, job_id) values ($1, 'running', $2, 'x', 'x', $3)`,
    [stuck, architect.user.id, job],
  );
  await host.transactions.run(host.systemContext('test'), async (uow) => {
    const end = {
      id: job,
      payload: { proposal_id: stuck },
      state: 'failed' as const,
      result: null,
      error: 'x',
      queuedBy: null,
    };
    await new ProposalEngine(host).ended({ ...end, uow });
  });
  t.match(await ended(stuck), { state: 'failed', error: { code: 'job_failed' } }, 'a job that fails ends its proposal');
  t.equal((await architect.send('DELETE', `${PATH}/${stuck}`)).status, 204);
});

t.test('it is edited, and every fault is named', async (t) => {
  const proposal = await propose();
  const at = `${PATH}/${proposal.id}`;
  const build = (proposal['design'] as { options: AnyBody[] }).options.find((option) => option['kind'] === 'build')!;
  const changed = await architect.patch(
    at,
    { option_id: build.id, title: 'Paying' },
    { headers: { 'if-match': `"${proposal.version}"` } },
  );
  t.match(changed.body, { version: proposal.version + 1, title: 'Paying' });
  t.match(changesOf(changed.body).cards, [{ name: 'Paying' }, { ref: 'target', type: 'Application', name: 'Paying' }]);
  t.equal(
    (await architect.patch(at, { title: 'Y' }, { headers: { 'if-match': `"${proposal.version}"` } })).status,
    412,
  );
  const { body } = await architect.patch(at, {
    option_id: 'O99',
    change_set: {
      cards: [
        { ref: 'a', type: 'Application', name: 'A' },
        { ref: 'a', type: 'Application', name: 'A' },
      ],
      relations: [{ type: 'x', source: { ref: 'b' }, target: { id: host.newId() } }],
    },
  });
  t.strictSame(body.errors.map(({ field }) => field).sort(), [
    '/change_set/cards/1/ref',
    '/change_set/relations/0/source/ref',
    '/change_set/relations/0/target/id',
    '/option_id',
    '/option_id',
  ]);
});

t.test('proposals that were not committed are deleted some day', async (t) => {
  const { id } = await propose({ use_model: false });
  const clean = async (days: number): Promise<number> => {
    await query(`update insightlens_proposals set created_at = created_at - $1 * interval '1 day'`, [days]);
    const job = {
      ctx: host.systemContext('test'),
      guard: () => Promise.resolve(),
      signal: AbortSignal.timeout(60_000),
    };
    return (await cleanProposals(host, job as never)).deleted;
  };
  t.ok((await clean(31)) > 0, 'cancelled ones');
  t.equal((await architect.get(`${PATH}/${id}`)).status, 200);
  t.ok((await clean(365)) > 0);
  t.equal((await architect.get(`${PATH}/${id}`)).status, 404);
  t.strictSame(
    (await query<{ state: string }>('select distinct state from insightlens_proposals')).map(({ state }) => state),
    [],
  );
});
