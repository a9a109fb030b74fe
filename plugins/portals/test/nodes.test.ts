import t from 'tap';
import { registerAdmin, testApp, until } from '../../../test/support/app.js';
import { change, createPortal, visit } from './support.js';

const SECOND = 1_000;
const first = await testApp();
const second = await testApp({ database: first.database });
t.teardown(async () => {
  await Promise.all([first.close(), second.close()]);
});
// It does not get notifications, so that it detects changes only by reading.
await second.app.services.notifier.close();
const admin = await registerAdmin(first.origin);
const made = await admin.api.post<{ id: string }>('/cards', {
  type: 'Application',
  name: 'Shop',
  description: 'Sells.',
});
const { id } = made.body;

t.test('what is withdrawn on one node is closed on the other within a second', async (t) => {
  const portal = await createPortal(admin, { slug: 'apps', fields: ['description'], is_published: true });
  const there = (path: string) => visit(second.origin, path);
  await until(async () => (await there('apps')).status === 200);

  /** Milliseconds until the other node, which is asked all the time, answers as expected. */
  const within = async (act: () => Promise<unknown>, isSo: () => Promise<boolean>): Promise<number> => {
    await isSo();
    await act();
    const began = performance.now();
    await until(isSo);
    return performance.now() - began;
  };
  const cases: [string, () => Promise<unknown>, () => Promise<boolean>][] = [
    [
      'unpublished',
      () => change(admin, portal, { is_published: false }),
      async () => (await there('apps/cards')).status === 404,
    ],
    [
      'published',
      () => change(admin, portal, { is_published: true }),
      async () => (await there('apps/cards')).status === 200,
    ],
    [
      'a field taken out',
      () => change(admin, portal, { fields: [] }),
      async () => !(await there(`apps/cards/${id}`)).text.includes('Sells'),
    ],
    [
      'a card archived',
      () => admin.api.post(`/cards/${id}/archive`, {}),
      async () => (await there(`apps/cards/${id}`)).status === 404,
    ],
    ['deleted', () => admin.api.del(`/portals/${portal.id}`), async () => (await there('apps/page')).status === 404],
  ];
  for (const [name, act, isSo] of cases) {
    const ms = await within(act, isSo);
    t.ok(ms < SECOND, `${name}: ${ms.toFixed(0)} ms`);
    t.comment(`${name}: ${ms.toFixed(0)} ms`);
  }
});
