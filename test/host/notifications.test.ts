/** Notifications of modules: as declared, to users who may see the subject, once, and in the transaction. */
import { defineModule, type ModuleNotice, type ModuleServices, type RequestContext } from '@lintel/sdk';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { manifestFaults } from '../../core/modules/install/manifest.js';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { untilNotified, notificationsOf } from '../support/notifications.js';
import { makeRoleUser } from '../support/roles.js';

const node = await testApp({ config: { logLevel: 'silent' } });
t.teardown(node.close);
const { rbac, modules, jobs } = node.app.services;
const admin = await registerAdmin(node.origin);
const [asker, signer, second] = [
  await makeUser(admin, 'architect'),
  await makeUser(admin, 'architect'),
  await makeUser(admin, 'architect'),
];
const blind = await makeRoleUser(node, admin, 'blind', { like: 'architect', without: ['adr.view'] });
const host: ModuleServices = modules.get('adr')!.host;
const KIND = 'adr.signature_requested';
const notice = (more: Partial<ModuleNotice> = {}): ModuleNotice => ({
  to: [signer.user.id],
  kind: KIND,
  subject: { kind: 'adr', id: signer.user.id, name: 'One' },
  title: 'Asked',
  ...more,
});
const as = ({ user }: Session): RequestContext => ({
  ...systemContext('api'),
  actor: { id: user.id, displayName: user.display_name, email: user.email, role: user.role, sessionId: user.id },
  permissions: rbac.permissionsOf(user.role),
});
const send = (notices: ModuleNotice | ModuleNotice[], ctx = systemContext('adr')) =>
  host.transactions.run(ctx, (uow) => host.notifications.send(uow, notices));
const titles = async (user: Session) => (await notificationsOf(user)).map(({ title, count }) => `${count}: ${title}`);

t.test('a request for signatures notifies the signatories, not the requesting user', async (t) => {
  const { id } = expectStatus(await asker.api.post('/adr', { title: 'Use PostgreSQL' }), 201, 'a decision').body;
  expectStatus(
    await asker.api.post(`/adr/${id}/request-signatures`, { user_ids: [signer.user.id, asker.user.id] }),
    200,
    'asking',
  );
  t.match(await notificationsOf(signer), [
    {
      kind: KIND,
      title: 'You are asked to sign “Use PostgreSQL”',
      link: `/adr/${id}`,
      subject: { kind: 'adr', id, name: 'Use PostgreSQL' },
      actor: { id: asker.user.id },
      event_id: null,
      count: 1,
    },
  ]);
  t.strictSame(await notificationsOf(asker), []);
});

t.test('acceptances that expire together are one notification of their owner', async (t) => {
  for (let i = 0; i < 3; i++) {
    const { id } = expectStatus(
      await second.api.post('/risks', { title: `Risk ${i}`, category: 'security', owner_id: second.user.id }),
      201,
      'a risk',
    ).body;
    expectStatus(
      await second.api.post(`/risks/${id}/transition`, { to: 'accepted', rationale: 'x', expires_on: '2999-01-01' }),
      200,
      'accepting',
    );
  }
  await sql(node.database, `update risks_register set acceptance_expires_on = '2020-01-01'`);
  const job = (await jobs.submit(systemContext('test'), 'risks.expire_acceptances', {}))!;
  await until(async () => (await admin.api.get<{ state: string }>(`/settings/jobs/${job}`)).body.state === 'done');
  t.match(await notificationsOf(second), [
    { kind: 'risks.acceptance_expired', count: 3, title: '3 × Expired acceptances', actor: null },
  ]);
});

t.test('a group has a count; the acting user and users who may not see the subject are omitted', async (t) => {
  await send(
    [
      notice({ group: 'g' }),
      notice({ group: 'g', to: [signer.user.id.toUpperCase(), blind.user.id, second.user.id, 'nobody'] }),
    ],
    as(second),
  );
  await send(notice({ group: 'g' }));
  t.strictSame((await titles(signer)).at(-1), '3: 3 × Signatures');
  t.equal((await notificationsOf(signer)).at(-1)!.actor, null, 'a group of several senders has no actor');
  await send([notice({ title: 'x\r\ny' }), notice({ path: '/x/1' })]);
  t.strictSame((await titles(signer)).slice(-2).sort(), ['1: Asked', '1: x y']);
  t.strictSame(await notificationsOf(blind), []);
  t.notOk((await titles(second)).some((title) => title.includes('Signatures')));
});

t.test('a failed transaction creates no notification', async (t) => {
  const before = (await notificationsOf(signer)).length;
  await t.rejects(
    host.transactions.run(systemContext('adr'), async (uow) => {
      await host.notifications.send(uow, notice());
      throw new Error('undone');
    }),
  );
  t.equal((await notificationsOf(signer)).length, before);
});

t.test('an undeclared notification is a fault of the module', async (t) => {
  for (const wrong of [
    { kind: 'adr.other' },
    { kind: 'mention' },
    { subject: { kind: 'risks', id: 'x' } },
    { title: ' ' },
  ])
    await t.rejects(send(notice(wrong)), JSON.stringify(wrong));
  const faults = (notifications: object[]) =>
    manifestFaults(
      defineModule({
        id: 'acme',
        version: '1.0.0',
        title: 'Acme',
        description: 'x',
        host: '*',
        permissions: [],
        services: () => ({}),
        enabledByDefault: false,
        notifications: notifications as never,
      }) as never,
    );
  const sound = { kind: 'acme.done', title: 'Done', description: 'It is done.' };
  t.strictSame(faults([sound]), []);
  t.strictSame(faults([{ ...sound, kind: 'other.done' }]), ['/notifications: other.done must be acme.<word>']);
  t.strictSame(faults([sound, sound]), ['/notifications: the kind acme.done is there twice']);
  t.equal(faults([{ kind: 'acme.done' }]).length, 2);
});

t.test('a notification about a card is sent only to users who may see it', async (t) => {
  const card = expectStatus(await admin.api.post('/cards', { type: 'Application', name: 'Shop' }), 201, 'a card').body;
  await send(
    notice({ subject: { kind: 'card', id: card.id, type: 'Application', name: 'Shop' }, title: 'About a card' }),
  );
  t.match((await notificationsOf(signer)).at(-1), { title: 'About a card', link: `/cards/${card.id}` });
});

t.test('notifications of a disabled module are hidden until it is enabled again', async (t) => {
  const before = (await notificationsOf(signer)).length;
  const turn = async (enabled: boolean) =>
    expectStatus(await admin.api.patch<AnyBody>('/settings/modules/adr', { enabled }), 200, 'switching');
  await turn(false);
  await untilNotified(node);
  t.strictSame(
    (await notificationsOf(signer)).filter(({ kind }) => kind === KIND),
    [],
  );
  await turn(true);
  t.equal((await notificationsOf(signer)).length, before);
});
