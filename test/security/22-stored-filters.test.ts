/** Stored filters that name cards: a reader from whom a card is hidden never gets its id, and does not remove it by sending the filter back. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp, until } from '../support/app.js';

const NONE = '00000000-0000-0000-0000-000000000000';
/** An id of no card, as a text of users. */
const GUID = '5f0c1c1e-1111-4222-8333-444455556666';
const node = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(node.close);
const admin = await registerAdmin(node.origin);
const { api } = admin;
const made = async (path: string, body: object): Promise<string> =>
  expectStatus(await api.post(path, body), 201, `POST ${path}`).body.id;
const fields = [
  { key: 'twin', kind: 'card_reference' },
  { key: 'code', kind: 'text' },
  { key: 'person', kind: 'user' },
];
await made('/metamodel/types', { key: 'Desk', label: 'Desk', sections: [{ key: 's', label: 'S', fields }] });
const hidden = await made('/cards', { type: 'Provider', name: 'Hidden' });
const visible = await made('/cards', { type: 'Application', name: 'Visible' });
const permissions = [
  'cards.view',
  'relations.view',
  'reports.view',
  'reports.manage',
  'reports.share',
  'soaw.view',
  'soaw.manage',
  'webhooks.manage',
  'portals.manage',
  'events.audit',
];
const role = { key: 'blinkered', label: 'Blinkered', permissions, types: { Provider: { 'cards.view': false } } };
expectStatus(await api.post('/roles', role), 201, 'a role');
const reader = await makeUser(admin, 'blinkered');

const table = (filter: object) => ({
  sections: [
    {
      key: 'landscape',
      title: 'Landscape',
      tables: [{ id: 'all', kind: 'cards', title: 'All', filter: { type: 'Application', ...filter } }],
    },
  ],
});
const filter = { related_to: hidden, ids: `${visible},${hidden}` };
const list = `${visible},${hidden}`;

/** By place: the path, what is stored there, and the part of it that a reader sends back. */
const PLACES: Record<string, { path: string; body: object; part: string; rest?: object }> = {
  'a saved report': {
    path: '/reports/saved',
    body: { name: 'Around', report: 'dependencies', parameters: { card_id: hidden, ids: list }, visibility: 'public' },
    part: 'parameters',
  },
  'a webhook': {
    path: '/webhooks',
    body: {
      url: 'http://127.0.0.1:9/',
      conditions: [
        { field: 'subject.id', op: 'eq', value: hidden },
        { field: 'subject.id', op: 'in', value: [visible, hidden] },
      ],
    },
    part: 'conditions',
  },
  'a report on a reference': {
    path: '/reports/saved',
    body: {
      name: 'Twins',
      report: 'dashboard',
      parameters: { type: 'Desk', 'attributes.twin': list },
      visibility: 'public',
    },
    part: 'parameters',
  },
  'a portal': {
    path: '/portals',
    body: {
      slug: 'partners',
      title: 'Partners',
      type: 'Desk',
      fields: ['description'],
      filters: { 'attributes.code': list },
    },
    part: 'filters',
  },
  'a template': { path: '/soaw/templates/own', body: { name: 'Template', ...table(filter) }, part: 'sections' },
  'a document': { path: '/soaw', body: { title: 'Document', ...table(filter) }, part: 'sections' },
};

t.test('a filter by the text of a portal was one by a reference, and is again', async (t) => {
  const { path, body } = PLACES['a portal']!;
  const one = `${path}/${await made(path, { ...body, slug: 'texts' })}`;
  t.strictSame((await reader.api.get(one)).body['filters'], { 'attributes.code': list }, 'a text is shown');
  const changed = (kind: string) =>
    api.patch('/metamodel/types/Desk', {
      sections: [
        { key: 's', label: 'S', fields: fields.map((field) => (field.key === 'code' ? { ...field, kind } : field)) },
      ],
    });
  expectStatus(await changed('card_reference'), 200, 'a reference');
  t.strictSame((await reader.api.get(one)).body['filters'], { 'attributes.code': `${visible},${NONE}` });
  expectStatus(await changed('text'), 200, 'a text again');
});

for (const [place, { path, body, part }] of Object.entries(PLACES).filter(([place]) => place !== 'a portal')) {
  t.test(`${place}: the id is masked, and survives`, async (t) => {
    const one = `${path}/${await made(path, body)}`;
    const stored = (await api.get(one)).body[part];
    t.match(JSON.stringify(stored), hidden, 'who sees the card sees the filter');
    const shown = await reader.api.get(one);
    const reads = [shown, await reader.api.get(path), await reader.api.get(`${one}/history`)];
    for (const { status, body } of reads) {
      t.ok(status === 200 || status === 403 || status === 404, `${status}`);
      t.notMatch(JSON.stringify(body), hidden);
    }
    t.match(JSON.stringify(shown.body[part]), NONE);
    t.match(JSON.stringify(shown.body[part]), visible, 'other cards stay');
    const text = { name: 'Renamed', title: 'Renamed' }[('title' in body ? 'title' : 'name') as 'name'];
    const renamed = 'title' in body ? { title: text } : { name: text };
    const back = await reader.api.patch(
      one,
      { ...renamed, [part]: shown.body[part] },
      { headers: { 'if-match': shown.headers.get('etag')! } },
    );
    t.equal(back.status, 200, JSON.stringify(back.body));
    t.notMatch(JSON.stringify(back.body), hidden);
    t.strictSame((await api.get(one)).body[part], stored, 'nothing is lost');
    // Another card in the place of a visible one: the filter is what was sent, and tells nothing.
    const changed = JSON.parse(JSON.stringify(shown.body[part]).replaceAll(visible, randomUUID())) as object;
    const other = await reader.api.patch(one, { [part]: changed });
    t.notMatch(JSON.stringify([other.body, (await reader.api.get(one)).body]), hidden);
  });
}

t.test('only filters that name cards are masked, by the kind of their field', async (t) => {
  const person = reader.user.id;
  const card = await made('/cards', { type: 'Desk', name: 'Desk', attributes: { code: GUID, person } });
  const queries: Record<string, string>[] = [
    { 'attributes.code': GUID },
    { 'attributes.code[contains]': `x, ${GUID}` },
    { 'attributes.person': person },
  ];
  for (const parameters of queries) {
    const query: Record<string, string> = { type: 'Desk', ...parameters };
    const body = { name: 'Texts', report: 'dashboard', parameters: query, visibility: 'public' };
    const one = `/reports/saved/${await made('/reports/saved', body)}`;
    t.strictSame((await reader.api.get(one)).body['parameters'], query);
    const { total } = (await reader.api.get('/cards', { query })).body;
    t.equal(total, 'attributes.code[contains]' in query ? 0 : 1);
    const { body: result } = expectStatus(await reader.api.get<{ total: number }>(`${one}/result`), 200, 'the result');
    t.equal(result.total, total, JSON.stringify(parameters));
    const document = await made('/soaw', { title: 'Texts', ...table(query) });
    t.match((await reader.api.get(`/soaw/${document}`)).body['sections'], [{ tables: [{ filter: query }] }]);
  }
  expectStatus(await api.del(`/cards/${card}`), 204, 'deleting');
});

t.test('conditions of webhooks show neither hidden cards nor which ids are some', async (t) => {
  const conditions = [hidden, randomUUID(), visible].map((value) => ({ field: 'subject.id', op: 'eq', value }));
  const actor = { field: 'actor.id', op: 'eq', value: reader.user.id };
  const body = { url: 'http://127.0.0.1:9/', conditions: [...conditions, actor] };
  const shown = expectStatus(await reader.api.post('/webhooks', body), 201, 'a webhook').body['conditions'];
  t.strictSame(
    (shown as { value: string }[]).map(({ value }) => value),
    [NONE, NONE, visible, reader.user.id],
  );
});

t.test('events tell no hidden id, in whatever text', async (t) => {
  const texts = [` ${hidden}`, `${list},`, `${hidden};${visible}`, `${list.toUpperCase()}`, `after ${hidden} more`];
  for (const text of texts) {
    const parameters = { type: 'Application', 'attributes.productName': text };
    const body = { name: 'Text', report: 'dashboard', parameters, visibility: 'public', description: text };
    const one = await made('/reports/saved', body);
    const events = await until(async () => {
      const { items } = (await reader.api.get('/events', { query: { subject_id: one } })).body;
      return items.length > 0 && JSON.stringify(items);
    });
    t.notMatch(events.toLowerCase(), hidden, text);
    t.match(events, NONE, text);
    const masked = text.replace(new RegExp(hidden, 'i'), NONE);
    t.match(events, JSON.stringify(masked), 'the rest of the text stays');
  }
});

t.test('events tell no hidden id, alone or in a list', async (t) => {
  // A list by itself: an object with the id of a hidden card is left out as a whole.
  const parameters = { type: 'Application', ids: list };
  const listed = await made('/reports/saved', {
    name: 'Listed',
    report: 'dependencies',
    parameters,
    visibility: 'public',
  });
  t.match(
    await until(async () => {
      const { items } = (await reader.api.get('/events', { query: { subject_id: listed } })).body;
      return items.length > 0 && JSON.stringify(items);
    }),
    visible,
  );
  for (const type of ['reports_saved.', 'webhook.', 'portals.', 'soaw.', 'soaw_template.']) {
    const { status, body } = await reader.api.get('/events', { query: { type, page_size: 200 } });
    t.equal(status, 200);
    t.ok(body.items.length > 0, type);
    t.notMatch(JSON.stringify(body), hidden, type);
  }
});

t.test('a result of a filter by a hidden card is that of a filter by none', async (t) => {
  const results: unknown[] = [];
  for (const card of [hidden, randomUUID()]) {
    for (const parameters of [{ card_id: card }, { type: 'Application', related_root_id: card }]) {
      const id = await made('/reports/saved', {
        name: 'Result',
        report: 'dependencies',
        parameters,
        visibility: 'public',
      });
      const { status, body } = await reader.api.get(`/reports/saved/${id}/result`);
      t.notMatch(JSON.stringify(body), hidden);
      const { instance: _i, request_id: _r, generated_at: _g, ...rest } = body as unknown as Record<string, unknown>;
      results.push([status, rest]);
    }
  }
  t.strictSame(results.slice(0, 2), results.slice(2));
});
