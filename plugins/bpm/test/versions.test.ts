import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../../../test/support/app.js';
import { Flow, flow, type Version } from './support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'architect'),
]);
const process = async (name: string) =>
  new Flow((await admin.api.post('/cards', { type: 'BusinessProcess', name })).body.id);
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const ORDER = flow({ Check: 'Check the order', Ship: 'Ship it' });

t.test('a file is uploaded, read, and given back unchanged', async (t) => {
  const p = await process('Orders');
  const made = await p.upload(member, ORDER, { comment: 'First', file_name: 'orders "é".bpmn' });
  t.match(made, {
    status: 201,
    body: {
      revision: 1,
      state: 'draft',
      title: 'Orders',
      comment: 'First',
      source: 'upload',
      element_count: 4,
      error_count: 0,
      has_interchange: false,
      created_by: member.user.id,
      version: 1,
      allowed_actions: ['update', 'delete', 'submit'],
    },
  });
  t.equal(made.headers.get('location'), `/api/v1${p.versions}/${made.body.id}`);
  const file = await viewer.api.get<string>(`${p.versions}/${made.body.id}.bpmn`);
  t.equal(file.body, ORDER);
  t.match(file.headers.get('content-disposition'), /^attachment; filename\*=UTF-8''orders%20%22%C3%A9%22\.bpmn$/);
  t.equal(file.headers.get('x-content-type-options'), 'nosniff');
  const known = await viewer.api.get(`${p.versions}/${made.body.id}.bpmn`, {
    headers: { 'if-none-match': file.headers.get('etag')! },
  });
  t.equal(known.status, 304);
  t.strictSame(
    (await p.elements(viewer)).map(({ bpmn_id, kind, position }) => [bpmn_id, kind, position]),
    [
      ['Start', 'event', 1],
      ['Check', 'task', 2],
      ['Ship', 'task', 3],
      ['End', 'event', 4],
    ],
  );
});

t.test('a draft is made from nothing, a template, a version and a form', async (t) => {
  const p = await process('Returns');
  const first = await member.api.post<Version>(p.versions, { from: 'nothing' });
  t.match(first, { status: 201, body: { title: 'Returns', source: 'nothing', element_count: 1, error_count: 0 } });
  const template = (await member.api.post('/bpm/templates', { name: 'Two steps' })).body;
  t.match(await member.api.post(p.versions, { from: 'template', template_id: template.id }), {
    status: 422,
    body: { errors: [{ field: '/template_id', reason: 'names a template without a file' }] },
  });
  const put = await member.api.send('PUT', `/bpm/templates/${template.id}.bpmn`, ORDER, {
    headers: { 'content-type': 'text/xml' },
  });
  t.match(put, { status: 200, body: { version: 2, size: ORDER.length, element_count: 4 } });
  t.equal((await viewer.api.get<string>(`/bpm/templates/${template.id}.bpmn`)).body, ORDER);
  const second = await member.api.post<Version>(p.versions, { from: 'template', template_id: template.id });
  t.match(second, { status: 201, body: { revision: 2, title: 'Two steps', source: 'template', element_count: 4 } });
  const third = await member.api.post<Version>(p.versions, {
    from: 'version',
    version_id: second.body.id,
    title: ' Third ',
  });
  t.match(third, { status: 201, body: { revision: 3, title: 'Third', source: 'version', based_on: second.body.id } });
  const form = new FormData();
  form.set('file', new Blob([ORDER]), 'form.bpmn');
  const upload = await fetch(`${origin}/api/v1${p.versions}/upload?title=Fourth`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.token}` },
    body: form,
  });
  t.match(
    { status: upload.status, body: await upload.json() },
    {
      status: 201,
      body: { revision: 4, title: 'Fourth', file_name: 'form.bpmn', based_on: third.body.id },
    },
  );
  t.match((await viewer.api.get(p.versions)).body, { total: 4, items: [{ revision: 4 }, { revision: 3 }] });
  for (const [body, field] of [
    [{ from: 'version' }, '/version_id'],
    [{ from: 'version', version_id: NOWHERE }, '/version_id'],
    [{ from: 'template', template_id: NOWHERE }, '/template_id'],
    [{ from: 'nothing', template_id: template.id }, '/template_id'],
    [{ from: 'other' }, '/from'],
  ] as const)
    t.match(await member.api.post(p.versions, body), { status: 422, body: { errors: [{ field }] } });
});

t.test('files that cannot be read are refused, and leave nothing', async (t) => {
  const p = await process('Refused');
  const rows = async () =>
    (
      await sql<{ n: number }>(
        database,
        'select (select count(*) from files)::int + (select count(*) from bpm_versions)::int as n',
      )
    )[0]!.n;
  const before = await rows();
  const cases: [string, string][] = [
    ['<bpmn:definitions', 'not_well_formed'],
    [ORDER.replace('<bpmn:definitions', '<!DOCTYPE x [<!ENTITY a "b">]><bpmn:definitions'), 'doctype'],
    ['<html/>', 'not_bpmn'],
  ];
  for (const [xml, reason] of cases)
    t.match(await p.upload(member, xml), { status: 422, body: { code: 'bpm_file_refused', reason } });
  t.match(await p.upload(member, ''), { status: 422 });
  t.equal((await member.api.send('POST', p.versions, 'x', { headers: { 'content-type': 'text/plain' } })).status, 415);
  const long = Buffer.alloc(20 * 1_048_576 + 1, ' ');
  t.equal((await p.upload(member, long)).status, 413);
  t.equal(await rows(), before);
});

t.test('names and ids with any characters are stored', async (t) => {
  const p = await process('Strange');
  const interchange = `<bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" id="${'d'.repeat(254)}😀" name="${'n'.repeat(254)}😀"><bpmndi:BPMNPlane id="pl" bpmnElement="Process_1"/></bpmndi:BPMNDiagram>`;
  const made = await p.upload(member, ORDER.replace('</bpmn:definitions>', `${interchange}</bpmn:definitions>`));
  t.equal(made.status, 201, JSON.stringify(made.body));
  for (const name of ["filename*=UTF-8''a%00b%0d%0a.bpmn", `filename="${'x'.repeat(199)}😀.bpmn"`]) {
    const body = `--b\r\nContent-Disposition: form-data; name="file"; ${name}\r\nContent-Type: text/xml\r\n\r\n${ORDER}\r\n--b--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await member.api.send<Version>('POST', `${p.versions}/upload`, body, { headers });
    // A part of a form without a plain name is no file.
    t.equal(answer.status, name.startsWith('filename*') ? 422 : 201, JSON.stringify(answer.body));
  }
});

t.test('problems are stored with line and element, and block the submission', async (t) => {
  const p = await process('Broken');
  const { body } = await p.upload(member, flow({ Check: 'Check' }, { broken: true }));
  t.ok(body.error_count > 0);
  const problems = await viewer.api.get<{ items: { line: number; severity: string }[]; total: number }>(
    `${p.versions}/${body.id}/problems`,
    { query: { severity: 'error' } },
  );
  t.equal(problems.body.total, body.error_count);
  t.ok(problems.body.items.every(({ line, severity }) => line > 1 && severity === 'error'));
  t.match(await p.move(member, body.id, 'submit'), {
    status: 409,
    body: { code: 'bpm_problems', error_count: body.error_count, problems: [{ severity: 'error' }] },
  });
  await admin.api.patch('/settings/modules/bpm', { settings: { block_submit_on_problems: false } });
  t.equal((await p.move(member, body.id, 'submit')).status, 200);
  await admin.api.patch('/settings/modules/bpm', { settings: { block_submit_on_problems: true } });
});

const ACTIONS = ['update', 'delete', 'submit', 'withdraw', 'approve', 'reject'] as const;
const ALLOWED: Record<string, readonly string[]> = {
  draft: ['update', 'delete', 'submit'],
  pending: ['withdraw', 'approve', 'reject'],
  published: [],
  archived: [],
};
const NEXT: Record<string, string> = { submit: 'pending', withdraw: 'draft', approve: 'published', reject: 'draft' };

/** A version in a state. */
async function versionIn(state: string): Promise<{ p: Flow; id: string }> {
  const p = await process(`${state} ${++made}`);
  const { id } = (await p.upload(member, ORDER)).body;
  if (state !== 'draft') await p.move(member, id, 'submit');
  if (state === 'published' || state === 'archived') await p.move(architect, id, 'approve');
  if (state === 'archived') await p.publish(member, architect, ORDER);
  return { p, id };
}
let made = 0;

t.test('every action in every state', async (t) => {
  for (const state of Object.keys(ALLOWED)) {
    // Refused actions change nothing, so that the next one finds the same version.
    let at: Awaited<ReturnType<typeof versionIn>> | undefined;
    for (const action of ACTIONS) {
      const { p, id } = (at ??= await versionIn(state));
      const path = `${p.versions}/${id}`;
      const by = action === 'approve' || action === 'reject' ? architect : member;
      const body = action === 'reject' ? { reason: 'No.' } : undefined;
      const answer =
        action === 'update'
          ? await by.api.patch<Version>(path, { title: `Changed in ${state}` })
          : action === 'delete'
            ? await by.api.del<Version>(path)
            : await p.move(by, id, action, body);
      const what = `${action} of ${state}`;
      if (ALLOWED[state]!.includes(action)) {
        t.ok(answer.status < 300, what);
        if (NEXT[action] !== undefined) t.equal(answer.body.state, NEXT[action], what);
        at = undefined;
      } else {
        t.match(answer, { status: 409, body: { code: 'invalid_state', state, allowed: ALLOWED[state] } }, what);
        t.match((await viewer.api.get<Version>(path)).body, { state, title: 'Orders' }, what);
      }
    }
    if (state === 'draft') continue;
    const { p, id } = at ?? (await versionIn(state));
    t.match(await p.replace(member, id, ORDER), { status: 409, body: { code: 'invalid_state' } }, `file of ${state}`);
  }
});

t.test('publishing archives the version before; the database keeps what was published', async (t) => {
  const p = await process('Kept');
  const first = await p.publish(member, architect, ORDER);
  const second = await p.publish(member, architect, flow({ Check: 'Check all' }));
  const states = (await viewer.api.get<{ items: Version[] }>(p.versions)).body.items.map(({ id, state }) => [
    id,
    state,
  ]);
  t.strictSame(states, [
    [second, 'published'],
    [first, 'archived'],
  ]);
  t.match((await viewer.api.get(`${p.versions}/${first}`)).body, {
    archived_at: /Z$/,
    published_at: /Z$/,
    decided_by: architect.user.id,
  });
  await t.rejects(
    sql(database, `update bpm_versions set content_hash = 'x' where id = '${first}'`),
    /cannot be changed/,
  );
  await t.rejects(
    sql(database, `update bpm_versions set state = 'draft', frozen_hash = null where id = '${second}'`),
    /cannot become/,
  );
  t.strictSame((await p.elements(viewer)).map(({ name }) => name).filter(Boolean), ['Check all']);
});

t.test('one version of a process is pending', async (t) => {
  const p = await process('Pending');
  const [one, two] = [(await p.upload(member, ORDER)).body.id, (await p.upload(member, ORDER)).body.id];
  const answers = await Promise.all([one, two].map((id) => p.move(member, id, 'submit')));
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 409]);
  t.match(answers.find(({ status }) => status === 409)!.body, { code: 'bpm_pending_exists' });
});

t.test('of twenty approvals at once one succeeds', async (t) => {
  const p = await process('Raced');
  const { id } = (await p.upload(member, ORDER)).body;
  await p.move(member, id, 'submit');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => p.move(i % 2 ? architect : admin, id, 'approve')),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.ok(answers.every(({ status }) => status === 200 || status === 409));
  t.equal(
    (
      await sql<{ n: number }>(
        database,
        `select count(*)::int as n from bpm_versions where card_id = '${p.cardId}' and state = 'published'`,
      )
    )[0]!.n,
    1,
  );
});

t.test('the submitter does not approve by any path', async (t) => {
  const p = await process('Two eyes');
  const { id } = (await p.upload(admin, ORDER)).body;
  t.equal((await p.move(admin, id, 'submit')).status, 200);
  const email = admin.user.email;
  const again = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: admin.password }),
  });
  const token = ((await again.json()) as { access_token: string }).access_token;
  const refused = { status: 409, body: { code: 'four_eyes' } };
  const first = await p.move(admin, id, 'approve');
  t.ok([403, 409].includes(first.status) && first.body.code === 'four_eyes', 'with all permissions');
  refused.status = first.status;
  t.match(await p.move(admin, id, 'reject', { reason: 'No.' }), refused);
  t.match(
    await p.move(
      { ...admin, api: (await import('../../../test/support/app.js')).client(origin, token) },
      id,
      'approve',
    ),
    refused,
    'with another session',
  );
  t.match(await p.move(admin, id, 'approve', undefined, { 'idempotency-key': 'twice' }), refused);
  await admin.api.post(`/cards/${p.cardId}/stakeholders`, { user_id: admin.user.id, role: 'process_owner' });
  t.match(await p.move(admin, id, 'approve'), refused, 'as the owner of the process');
  t.equal((await p.move(member, id, 'approve')).status, 403);
  await admin.api.patch('/settings/modules/bpm', { settings: { four_eyes: false } });
  t.equal((await p.move(admin, id, 'approve')).status, 200);
  await admin.api.patch('/settings/modules/bpm', { settings: { four_eyes: true } });
});

t.test('a changed content is not published', async (t) => {
  const p = await process('Changed');
  const { id } = (await p.upload(member, ORDER)).body;
  await p.move(member, id, 'submit');
  await sql(
    database,
    `update file_chunks set bytes = overlay(bytes placing '\\x20'::bytea from 1) where file_id = (select file_id from bpm_versions where id = '${id}')`,
  );
  t.match(await p.move(architect, id, 'approve'), { status: 409, body: { code: 'bpm_content_changed' } });
  t.equal((await p.move(member, id, 'withdraw')).status, 200);
});

t.test('versions, ETags and repeated requests', async (t) => {
  const p = await process('Tags');
  const key = { 'idempotency-key': 'create', 'content-type': 'application/xml' };
  const first = await member.api.send<Version>('POST', p.versions, ORDER, { headers: key });
  const second = await member.api.send<Version>('POST', p.versions, ORDER, { headers: key });
  t.equal(second.headers.get('idempotent-replayed'), 'true');
  t.equal(second.body.id, first.body.id);
  t.match(await member.api.send('POST', p.versions, `${ORDER} `, { headers: key }), {
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  const at = `${p.versions}/${first.body.id}`;
  t.match(await member.api.patch(at, { title: 'A' }, { headers: { 'if-match': '"7"' } }), {
    status: 412,
    body: { current_version: 1 },
  });
  t.match(await member.api.patch(at, { title: 'A' }, { headers: { 'if-match': '"1"' } }), {
    status: 200,
    body: { version: 2, title: 'A' },
  });
  t.match(await member.api.patch(at, {}), { status: 200, body: { version: 2 } });
  t.match(await member.api.patch(at, { comment: null, bogus: 1 }), {
    status: 422,
    body: { errors: [{ field: '/bogus' }] },
  });
  t.match(await p.move(member, first.body.id, 'submit', undefined, { 'if-match': '"1"' }), { status: 412 });
  t.match(await member.api.patch(at, { title: 'A' }, { headers: { 'if-match': '"2"' } }), {
    status: 200,
    body: { version: 2 },
  });
});

t.test('who decides is told, and so is the submitter', async (t) => {
  const p = await process('Told');
  const owner = await makeUser(admin, 'member');
  await admin.api.post(`/cards/${p.cardId}/stakeholders`, { user_id: owner.user.id, role: 'process_owner' });
  const { id } = (await p.upload(member, ORDER)).body;
  await p.move(member, id, 'submit');
  const told = (by: typeof owner, kind: string) =>
    until(async () =>
      (await by.api.get('/notifications', { query: { kind } })).body.items.find((item) =>
        String(item['title']).includes('“Told”'),
      ),
    );
  for (const by of [owner, architect, admin])
    t.match(await told(by, 'bpm.approval_requested'), { title: /awaits approval/ });
  t.equal((await p.move(owner, id, 'reject', { reason: 'Too long.' })).status, 200, 'by a role on the card');
  t.match(await told(member, 'bpm.flow_decided'), { title: /was rejected/ });
  t.match((await viewer.api.get(`${p.versions}/${id}`)).body, {
    state: 'draft',
    decision: 'rejected',
    reason: 'Too long.',
  });
  const events = (await admin.api.get('/events', { query: { subject_id: id } })).body.items.map(({ type }) => type);
  t.strictSame(events, ['bpm_version.rejected', 'bpm_version.submitted', 'bpm_version.created']);
});

t.test('the history of a version has who did what, and why', async (t) => {
  const p = await process('Told later');
  const { id } = (await p.upload(member, ORDER)).body;
  await member.api.patch(`${p.versions}/${id}`, { title: 'Better' });
  await p.move(member, id, 'submit', { comment: 'Please look.' });
  await p.move(architect, id, 'reject', { reason: 'Too long.' });
  await p.move(member, id, 'submit');
  await p.move(architect, id, 'approve', { comment: 'Fine.' });
  const at = `${p.versions}/${id}/history`;
  const { items, total } = (await viewer.api.get(at)).body;
  t.equal(total, 6);
  const by = (session: typeof admin) => ({ id: session.user.id, display_name: session.user.display_name });
  const states = (old: string, next: string) => [{ field: 'state', old, new: next }];
  t.match(items, [
    {
      type: 'bpm_version.published',
      version: 6,
      actor: by(architect),
      comment: 'Fine.',
      changes: states('pending', 'published'),
    },
    { type: 'bpm_version.submitted', version: 5, actor: by(member), comment: null },
    {
      type: 'bpm_version.rejected',
      version: 4,
      actor: by(architect),
      reason: 'Too long.',
      changes: states('pending', 'draft'),
    },
    { type: 'bpm_version.submitted', version: 3, comment: 'Please look.', reason: null },
    { type: 'bpm_version.updated', version: 2, changes: [{ field: 'title', old: 'Orders', new: 'Better' }] },
    { type: 'bpm_version.created', version: 1, actor: by(member), origin: 'api', changes: [] },
  ]);
  t.match((await viewer.api.get(at, { query: { page_size: 1, page: 2 } })).body, { items: [{ version: 5 }], total: 6 });
  t.equal((await viewer.api.get(`${p.versions}/${NOWHERE}/history`)).status, 404);
});

t.test('archived and deleted processes', async (t) => {
  const p = await process('Ends');
  const { id } = (await p.upload(member, ORDER)).body;
  await admin.api.post(`/cards/${p.cardId}/archive`);
  for (const answer of [
    await p.upload(member, ORDER),
    await p.move(member, id, 'submit'),
    await p.replace(member, id, ORDER),
  ])
    t.match(answer, { status: 409, body: { code: 'invalid_state' } });
  t.equal((await viewer.api.get(`${p.versions}/${id}`)).status, 200);
  t.match((await viewer.api.get(p.path)).body, { status: 'ARCHIVED', version_count: 1, element_count: 4 });
  t.match((await viewer.api.get('/bpm/processes', { query: { status: 'ARCHIVED' } })).body, {
    items: [{ name: 'Ends' }],
    total: 1,
  });
  const files = async () => (await sql<{ n: number }>(database, 'select count(*)::int as n from files'))[0]!.n;
  const before = await files();
  t.equal((await admin.api.del(`/cards/${p.cardId}`)).status, 204);
  t.equal((await viewer.api.get(`${p.versions}/${id}`)).status, 404);
  t.equal(await files(), before - 1, 'the file is deleted with its version');
});

t.test('what is no process, or hidden, does not exist', async (t) => {
  const other = new Flow((await admin.api.post('/cards', { type: 'Application', name: 'No process' })).body.id);
  t.equal((await viewer.api.get(other.versions)).status, 404);
  t.equal((await other.upload(member, ORDER)).status, 404);
  const p = await process('Hidden');
  const { id } = (await p.upload(member, ORDER)).body;
  await admin.api.post('/roles', {
    key: 'blind',
    label: 'Blind',
    permissions: ['cards.view', 'relations.view', 'bpm.view', 'bpm.edit', 'bpm.approve'],
    types: { BusinessProcess: { 'cards.view': false } },
  });
  const blind = await makeUser(admin, 'blind');
  for (const path of [
    p.path,
    p.versions,
    `${p.versions}/${id}`,
    `${p.versions}/${id}.bpmn`,
    `${p.versions}/${id}.svg`,
    `${p.versions}/${id}/history`,
    `${p.path}/elements`,
    `${p.path}/assessments/trend`,
  ])
    t.equal((await blind.api.get(path)).status, 404, path);
  t.equal((await p.upload(blind, ORDER)).status, 404);
  t.equal((await p.move(blind, id, 'submit')).status, 404);
  t.match((await blind.api.get('/bpm/processes')).body, { total: 0 });
  const q = await process('Other');
  t.equal((await viewer.api.get(`${q.versions}/${id}`)).status, 404, 'below another process');
});

t.test('drawings and differences', async (t) => {
  const p = await process('Drawn');
  const first = (await p.upload(member, ORDER)).body.id;
  const second = (await p.upload(member, flow({ Check: 'Check twice', Pay: 'Pay' }))).body.id;
  const svg = await viewer.api.get<string>(`${p.versions}/${first}.svg`);
  t.match(svg.headers.get('content-type'), /svg/);
  t.match(svg.body, /Ship it/);
  t.equal(
    (await viewer.api.get(`${p.versions}/${first}.svg`, { headers: { 'if-none-match': svg.headers.get('etag')! } }))
      .status,
    304,
  );
  const png = await fetch(`${origin}/api/v1${p.versions}/${first}.png?width=300`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  });
  t.equal(
    Buffer.from(await png.arrayBuffer())
      .subarray(1, 4)
      .toString(),
    'PNG',
  );
  t.equal((await viewer.api.get(`${p.versions}/${first}.svg`, { query: { diagram: 'Nothing' } })).status, 404);
  t.equal((await viewer.api.get(`${p.versions}/${first}.svg`, { query: { width: 5 } })).status, 422);
  const diff = await viewer.api.get<Record<string, { bpmn_id: string }[]>>(`${p.versions}/${second}/diff`, {
    query: { with: first },
  });
  t.match(diff.body, { summary: { renamed: 1 }, renamed: [{ bpmn_id: 'Check' }], before: { revision: 1 } });
  t.ok(diff.body['added']!.some(({ bpmn_id }) => bpmn_id === 'Pay'));
  t.ok(diff.body['removed']!.some(({ bpmn_id }) => bpmn_id === 'Ship'));
  const marked = await viewer.api.get<string>(`${p.versions}/${second}/diff`, {
    query: { with: first, format: 'svg' },
  });
  t.match(marked.body, /<svg/);
  t.match(marked.body, /renamed: 1</);
  const french = await viewer.api.get<string>(`${p.versions}/${second}/diff`, {
    query: { with: first, format: 'svg', lang: 'fr-CA' },
  });
  t.match(french.body, /renommé : 1</);
  t.match(
    french.body,
    /<desc>Diagramme BPMN 2.0 avec \d formes et \d connexions\. Événement de début; Tâche utilisateur : Check twice/,
  );
  const inLanguage = (lang: string) => viewer.api.get<string>(`${p.versions}/${first}.svg`, { query: { lang } });
  const german = await inLanguage('de');
  t.match(german.body, /<desc>BPMN-2.0-Diagramm mit 4 Formen und 3 Verbindungen\./);
  t.not(german.headers.get('etag'), svg.headers.get('etag'), 'another language is another picture');
  t.equal((await inLanguage('../en')).status, 422);
  t.match(await viewer.api.get(`${p.versions}/${second}/diff`, { query: { with: NOWHERE } }), {
    status: 422,
    body: { errors: [{ field: 'with' }] },
  });
  for (const enabled of [false, true]) await admin.api.patch('/settings/modules/bpm', { enabled });
  t.match(
    (await viewer.api.get<string>(`${p.versions}/${second}.svg`)).body,
    /Check twice/,
    'enabled again, it draws again',
  );
});
