/** Commits of proposals beside other modules: their rules refuse all of it, and so does what happens during the transaction. */
import t from 'tap';
import { PATH, billing } from '../../plugins/insightlens/test/proposals.js';
import type { AnyBody } from '../support/app.js';
import { moduleFolder } from '../support/module-folder.js';
import { noRules, rules, writeRuleModule } from '../support/rule-modules.js';

const folder = await moduleFolder(t);
await writeRuleModule(folder, 'audit', {
  more: `errors: { audit_forbidden: [409, 'Forbidden by audit', 'For tests.'] },`,
});
const { admin, architect, query, propose, stored, cards } = await billing({ pluginsDir: folder });
const { portal } = cards;
t.beforeEach(noRules);

t.test('a rule of another module refuses a commit as a whole, and its field is named', async (t) => {
  const proposal = await propose({ title: 'Vetoed' });
  const at = `${PATH}/${proposal.id}/commit`;
  const before = await stored();
  for (const errors of [[{ field: '/name', reason: 'is vetoed' }], undefined]) {
    rules('audit', {
      cards: (host, { changes }) =>
        Promise.resolve(
          changes.map((change) => (errors ? { change, errors } : { change, problem: host.problem('audit_forbidden') })),
        ),
    });
    const refused = await architect.post(at, {});
    if (errors)
      t.match(refused, { status: 422, body: { errors: [{ field: '/change_set/cards/0/name', reason: 'is vetoed' }] } });
    else t.match([409, 422].includes(refused.status), true, JSON.stringify(refused.body));
    t.match(refused.body.errors[0]!.field, /^\/change_set\/cards\/0/);
    t.strictSame(await stored(), before);
  }
  rules('audit', {
    relations: (_host, { changes }) =>
      Promise.resolve(
        changes.slice(1, 2).map((change) => ({ change, errors: [{ field: '/type', reason: 'is vetoed' }] })),
      ),
  });
  t.match(await architect.post(at, {}), {
    status: 422,
    body: { errors: [{ field: '/change_set/relations/1/type', reason: 'is vetoed' }] },
  });
  t.strictSame(await stored(), before);
  noRules();
  t.equal((await architect.post(at, {})).status, 200, 'afterwards');
});

t.test('what happens between the check and the transaction refuses it as a whole', async (t) => {
  const during = async (title: string, work: () => Promise<unknown>): Promise<{ status: number; body: AnyBody }> => {
    const proposal = await propose({ title });
    const isFor = String(proposal['title']);
    rules('audit', {
      // Called in the transaction of the commit, before its relations are written.
      cards: async (_host, { changes }) => {
        if (changes.some(({ after }) => after?.name === isFor)) await work();
        return [];
      },
    });
    const refused = await architect.post(`${PATH}/${proposal.id}/commit`, {});
    noRules();
    t.equal((await query('select from cards where name = $1', [title])).length, 0, title);
    t.equal((await query('select from adr_decisions where title = $1', [title])).length, 0, title);
    return refused;
  };
  const archived = await during('Archived meanwhile', () => architect.post(`/cards/${portal}/archive`));
  t.match(archived, { status: 422, body: { errors: [{ field: '/change_set/relations/0/target/id' }] } });
  t.equal((await architect.post(`/cards/${portal}/restore`)).status, 200);
  const without = await during('Without decisions', () => admin.patch('/settings/modules/adr', { enabled: false }));
  t.match(without, { status: 409, body: { code: 'conflict' } });
  await admin.patch('/settings/modules/adr', { enabled: true });
  const gone = await during('Deleted meanwhile', async () => {
    await architect.post(`/cards/${portal}/archive`);
    t.equal((await admin.send('DELETE', `/cards/${portal}`)).status, 204);
  });
  t.match(gone, { status: 422, body: { errors: [{ field: '/change_set/relations/0/target/id' }] } });
});
