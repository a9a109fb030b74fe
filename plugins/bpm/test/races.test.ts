/** Two users act on one version at once: the outcome is that of one action after the other. A stakeholder acts on one process only. */
import t from 'tap';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  testApp,
  type Answer,
  type Session,
} from '../../../test/support/app.js';
import { Flow, flow, type Version } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [member, other, architect] = await Promise.all([
  makeUser(admin, 'member'),
  makeUser(admin, 'member'),
  makeUser(admin, 'architect'),
]);
const ORDER = flow({ Check: 'Check the order', Ship: 'Ship it' });
const CHANGED = flow({ Check: 'Check all', Ship: 'Ship it' });
let made = 0;
const process = async (): Promise<Flow> =>
  new Flow(
    expectStatus(await admin.api.post('/cards', { type: 'BusinessProcess', name: `P ${made++}` }), 201, 'p').body.id,
  );

type Sent = Pick<Answer, 'status'>;

/** Each action, by a user who may do it. */
const ACTIONS: Record<string, (p: Flow, id: string) => Promise<Sent>> = {
  rename: (p, id) => member.api.patch(`${p.versions}/${id}`, { title: 'Renamed' }),
  replace: (p, id) => p.replace(other, id, CHANGED),
  delete: (p, id) => member.api.del(`${p.versions}/${id}`),
  submit: (p, id) => p.move(other, id, 'submit'),
  withdraw: (p, id) => p.move(other, id, 'withdraw'),
  approve: (p, id) => p.move(architect, id, 'approve'),
  reject: (p, id) => p.move(architect, id, 'reject', { reason: 'No.' }),
};

/** What follows from a state; an action without a state is refused in it. */
const NEXT: Record<string, Record<string, string>> = {
  draft: { rename: 'draft', replace: 'draft', delete: 'gone', submit: 'pending' },
  pending: { withdraw: 'draft', approve: 'published', reject: 'draft' },
  published: {},
  gone: {},
};
/** The state after two actions one after another, and whether each succeeded. */
function serial(from: string, actions: readonly string[]): { state: string; done: boolean[] } {
  let state = from;
  const done = actions.map((action) => {
    const next = NEXT[state]![action];
    state = next ?? state;
    return next !== undefined;
  });
  return { state, done };
}

for (const from of ['draft', 'pending'])
  t.test(`pairs of actions on a ${from} version`, async (t) => {
    const names = Object.keys(ACTIONS);
    const pairs = names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as const));
    for (const [a, b] of pairs) {
      const p = await process();
      const { id, version } = expectStatus(await p.upload(member, ORDER), 201, 'upload').body;
      if (from === 'pending') expectStatus(await p.move(member, id, 'submit'), 200, 'submit');
      const before = (await member.api.get<Version>(`${p.versions}/${id}`)).body.version ?? version;
      const [one, two] = await Promise.all([ACTIONS[a]!(p, id), ACTIONS[b]!(p, id)]);
      const done = [one.status < 300, two.status < 300];
      const after = await member.api.get<Version>(`${p.versions}/${id}`);
      const state = after.status === 404 ? 'gone' : after.body.state;
      const [forth, back] = [serial(from, [a, b]), serial(from, [b, a])];
      const possible = [forth, { state: back.state, done: [...back.done].reverse() }].map((it) => JSON.stringify(it));
      const what = `${a} and ${b}: ${one.status} ${two.status}`;
      t.ok(possible.includes(JSON.stringify({ state, done })), `${what} ${state}`);
      t.ok(
        [one, two].every(({ status }) => [200, 204, 404, 409].includes(status)),
        what,
      );
      // The same title twice is one change.
      if (state !== 'gone' && a !== b) t.equal(after.body.version - before, done.filter(Boolean).length, what);
    }
  });

t.test('a stakeholder of one process does nothing to another one', async (t) => {
  const [own, foreign] = [await process(), await process()];
  const owner = await makeUser(admin, 'viewer');
  const type = await admin.api.get<{ stakeholder_roles: { key: string }[] }>('/metamodel/types/BusinessProcess');
  const role = 'flow_owner';
  const permissions = { 'card.bpm_edit': true, 'card.bpm_approve': true };
  expectStatus(
    await admin.api.patch('/metamodel/types/BusinessProcess', {
      stakeholder_roles: [...type.body.stakeholder_roles, { key: role, label: 'Owner', permissions }],
    }),
    200,
    'a role',
  );
  expectStatus(
    await admin.api.post(`/cards/${own.cardId}/stakeholders`, { user_id: owner.user.id, role }),
    201,
    'a stakeholder',
  );
  const draft = expectStatus(await own.upload(owner, ORDER), 201, 'of the own process').body.id;
  const theirs = expectStatus(await foreign.upload(member, ORDER), 201, 'of another one').body.id;
  t.equal((await foreign.upload(owner, ORDER)).status, 403);
  const element = await foreign.element(member, 'Check', theirs);
  /** With the path of the own process and the version of the other one, and with both of the other one. */
  for (const [p, status] of [
    [own, 404],
    [foreign, 403],
  ] as const) {
    const path = `${p.versions}/${theirs}`;
    const answers: Record<string, Sent> = {
      rename: await owner.api.patch(path, { title: 'Taken' }),
      replace: await p.replace(owner, theirs, CHANGED),
      delete: await owner.api.del(path),
      submit: await p.move(owner, theirs, 'submit'),
      withdraw: await p.move(owner, theirs, 'withdraw'),
      approve: await p.move(owner, theirs, 'approve'),
      reject: await p.move(owner, theirs, 'reject', { reason: 'No.' }),
      link: await p.link(owner, element, [own.cardId]),
    };
    for (const [what, answer] of Object.entries(answers)) t.equal(answer.status, status, `${what} ${status}`);
  }
  t.match((await member.api.get(`${foreign.versions}/${theirs}`)).body, {
    state: 'draft',
    title: 'Orders',
    version: 1,
  });
  t.equal((await own.move(owner, draft, 'submit')).status, 200);
  t.match(await own.move(owner, draft, 'approve'), { body: { code: 'four_eyes' } });
  t.equal((await own.move(owner, draft, 'withdraw')).status, 200);
  await revoked(t, own, owner, draft);
});

/** The right ends with the role. */
async function revoked(t: { equal: (a: unknown, b: unknown) => unknown }, p: Flow, by: Session, id: string) {
  const { body } = await admin.api.get<{ items: { id: string }[] }>(`/cards/${p.cardId}/stakeholders`);
  for (const one of body.items) await admin.api.del(`/cards/${p.cardId}/stakeholders/${one.id}`);
  t.equal((await p.move(by, id, 'submit')).status, 403);
}
