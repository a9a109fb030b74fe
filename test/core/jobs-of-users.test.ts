/** Users share the slots of a node: jobs of one user do not delay those of another, whether of one type or of many. */
import t, { type Test } from 'tap';
import { makeUser, registerAdmin, testApp, until } from '../support/app.js';
import { gate, jobsAt, registerJob } from '../support/jobs.js';

const node = await testApp();
t.teardown(node.close);
const admin = await registerAdmin(node.origin);
const users = await Promise.all(Array.from({ length: 4 }, () => makeUser(admin, 'viewer')));
const [heavy, second, third, fourth] = users.map(({ user }) => user.id) as [string, string, string, string];
const { submit, inState } = jobsAt(node);

/** Registers types whose jobs run until the gate opens. @returns what has begun: the names in the payloads, in order */
function longTypes(t: Test, types: readonly string[], opened: Promise<void>): string[] {
  const begun: string[] = [];
  for (const type of types)
    registerJob(t, [node], type, {
      handler: async ({ payload }) => {
        begun.push((payload as { name: string }).name);
        await opened;
      },
    });
  return begun;
}
const queue = (type: string, user: string | undefined, name: string): Promise<string> =>
  submit(type, { name }, user === undefined ? {} : { onBehalf: user });
const times = (begun: readonly string[], name: string): number => begun.filter((one) => one === name).length;

await t.test('a job begins although long jobs of another user of the same type wait', async (t) => {
  const { opened, open } = gate();
  t.teardown(open);
  const begun = longTypes(t, ['users.long', 'users.other'], opened);
  const ids = await Promise.all(Array.from({ length: 12 }, () => queue('users.long', heavy, 'heavy')));
  await until(() => begun.length === 4);
  ids.push(await queue('users.long', second, 'second'));
  await until(() => begun.includes('second'), 10_000);
  ids.push(await queue('users.long', undefined, 'system'));
  await until(() => begun.includes('system'), 10_000);
  // Two users without running jobs used reserved slots; the rest is for other types.
  ids.push(await queue('users.long', third, 'third'));
  ids.push(await queue('users.other', undefined, 'other'));
  await until(() => begun.includes('other'), 10_000);
  t.same([times(begun, 'heavy'), times(begun, 'third')], [4, 0]);
  open();
  for (const id of ids) await inState(id, 'done');
});

await t.test('users take turns', async (t) => {
  const begun: string[] = [];
  const { opened, open } = gate();
  t.teardown(open);
  const long = longTypes(t, ['users.block_a', 'users.block_b'], opened);
  // Jobs of others leave one general slot.
  const blocks = [
    await queue('users.block_a', third, 'a'),
    await queue('users.block_a', fourth, 'a'),
    await queue('users.block_b', third, 'b'),
  ];
  await until(() => long.length === 3);
  const names = Array.from({ length: 20 }, () => 'heavy').concat(Array.from({ length: 3 }, () => 'second'));
  const ids: string[] = [];
  for (const name of names) ids.push(await queue('users.turns', name === 'heavy' ? heavy : second, name));
  const off = registerJob(t, [node], 'users.turns', {
    handler: async ({ payload }) => void begun.push((payload as { name: string }).name),
  });
  for (const id of ids) await inState(id, 'done');
  off();
  t.ok(begun.lastIndexOf('second') < 12, `the few jobs of one user did not wait for the many: ${begun.join(', ')}`);
  open();
  for (const id of blocks) await inState(id, 'done');
});

await t.test('a user holds at most half of the slots, with jobs of however many types', async (t) => {
  const { opened, open } = gate();
  t.teardown(open);
  const types = Array.from({ length: 8 }, (_, i) => `users.kind_${i}`);
  const ids = await Promise.all(types.map((type) => queue(type, heavy, 'heavy')));
  const begun = longTypes(t, types, opened);
  await until(() => begun.length === 4);
  ids.push(await queue(types[0]!, second, 'second'), await queue(types[1]!, third, 'third'));
  await until(() => begun.includes('second') && begun.includes('third'), 10_000);
  t.equal(times(begun, 'heavy'), 4);
  open();
  for (const id of ids) await inState(id, 'done');
});
