/** The number of statements for flows does not depend on the number of elements, links and relations. */
import t from 'tap';
import { Flow, flow } from '../../plugins/bpm/test/support.js';
import { expectStatus, makeUser, registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const editor = await makeUser(admin, 'member');
const made = expectStatus(
  await admin.api.post<{ results: { id: string }[] }>('/cards/bulk', {
    operations: Array.from({ length: 40 }, (_, i) => ({
      op: 'create',
      card: { type: i < 2 ? 'BusinessProcess' : 'Application', name: `Card ${i}` },
    })),
  }),
  200,
  'cards',
).body.results.map(({ id }) => id);
const [small, large] = [new Flow(made[0]!), new Flow(made[1]!)];
const stepsOf = (process: Flow): Record<string, string> =>
  Object.fromEntries(Array.from({ length: process === small ? 1 : 60 }, (_, i) => [`Task_${i}`, `Task ${i}`]));
const cardsOf = (process: Flow): string[] => made.slice(2, process === small ? 3 : undefined);

async function statementsOf(work: () => Promise<{ status: number }>): Promise<number> {
  const { answer, statements } = await watch.during(work);
  if (answer.status >= 300) throw new Error(`the request gave ${answer.status}`);
  return statements.length;
}

/** Numbers of statements of all steps until a version is published. */
async function lifeOf(process: Flow): Promise<Record<string, number>> {
  const xml = flow(stepsOf(process));
  const created = await statementsOf(() => process.upload(editor, xml));
  const { items } = (await editor.api.get<{ items: { id: string }[] }>(process.versions)).body;
  const id = items[0]!.id;
  const element = await process.element(editor, 'Task_0', id);
  return {
    created,
    replaced: await statementsOf(() => process.replace(editor, id, xml)),
    linked: await statementsOf(() => process.link(editor, element, cardsOf(process))),
    submitted: await statementsOf(() => process.move(editor, id, 'submit')),
    published: await statementsOf(() => process.move(admin, id, 'approve')),
    read: await statementsOf(() => editor.api.get(process.path)),
    listed: await statementsOf(() => editor.api.get(`${process.path}/elements`, { query: { page_size: 200 } })),
  };
}

t.test('from the upload to the publication', async (t) => {
  // The first round fills caches, and publishes what the second one replaces.
  for (const process of [small, large]) await lifeOf(process);
  const [few, many] = [await lifeOf(small), await lifeOf(large)];
  t.strictSame(many, few);
  t.comment(JSON.stringify(few));
});
