/** The demo as users run it: a separate process that fills a service, twice. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { buildLandscape } from '../../config/demo/landscape.js';
import type { Row } from '../../config/demo/model.js';
import { Progress } from '../../config/demo/progress.js';
import { defaultCardTypes } from '../../config/metamodel/index.js';
import { login, registerAdmin, testApp, type AnyBody } from '../support/app.js';

const PROGRAM = fileURLToPath(new URL('../../config/demo/run.js', import.meta.url));
const { origin, close } = await testApp();
t.teardown(close);
const other = await testApp();
t.teardown(other.close);
await registerAdmin(other.origin);

interface Run {
  code: number;
  out: string;
  err: string;
}

function demo(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { env: { PATH: process.env.PATH } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });
}

/** The documented number of cards per type. */
const landscape = buildLandscape();
const perType = (cards: readonly { type: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { type } of cards) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

t.test('the landscape has the documented size, cards of all types, and no unresolved reference', async (t) => {
  t.same(Object.keys(perType(landscape.cards)).sort(), defaultCardTypes.map(({ key }) => key).sort());
  t.ok(landscape.cards.length >= 500 && landscape.cards.length <= 650, `${landscape.cards.length} cards`);
  t.ok(
    landscape.relations.length >= 1_500 && landscape.relations.length <= 1_900,
    `${landscape.relations.length} relations`,
  );
  t.ok(landscape.involvements.length >= 150 && landscape.users.length >= 20);
  const row = (more: Partial<Row>): Row => ({ type: 'Application', name: 'One', ...more });
  t.throws(() => buildLandscape([row({}), row({})]), /two of Application "One"/);
  t.throws(() => buildLandscape([row({ parent: 'Two' })]), /"One" names Application "Two", which is not there/);
  t.throws(() => buildLandscape([row({ people: { responsible: 'XX' } })]), /XX, who does not exist/);
});

t.test('the first run registers the administrator and stores everything, the second changes nothing', async (t) => {
  const first = await demo('--url', origin);
  t.equal(first.code, 0, first.err);
  const [, email, password] = /Registered the administrator (\S+) with the password (\S+)/.exec(first.out) ?? [];
  if (email === undefined || password === undefined) throw new Error(first.out);
  t.match(first.out, new RegExp(`^cards +${landscape.cards.length} created$`, 'm'));
  t.match(first.out, new RegExp(`^relations +${landscape.relations.length} created$`, 'm'));
  t.equal(first.out.match(/^ {2}.*curl -s /gm)?.length, 2, 'two lines to try');

  const { api } = await login(origin, email, password);
  for (const [type, n] of Object.entries(perType(landscape.cards)))
    t.equal((await api.get('/cards', { query: { type, page_size: 1 } })).body.total, n, type);
  t.equal((await api.get('/relations', { query: { page_size: 1 } })).body.total, landscape.relations.length);
  t.equal((await api.get('/users', { query: { page_size: 1 } })).body.total, landscape.users.length + 1);
  const [capability] = (
    await api.get('/cards', { query: { search: 'Vehicle and Crew Dispatching', type: 'BusinessCapability' } })
  ).body.items;
  t.match(capability, { path: ['Train Operations', 'Disruption Management'], level: 3 });
  const [ticketCore] = (await api.get('/cards', { query: { external_id: 'demo-ticket-core' } })).body.items;
  t.match(ticketCore, { lifecycle_phase: 'active', attributes: { costTotalAnnual: 460_000, timeModel: 'invest' } });
  t.same((ticketCore?.['stakeholders'] as AnyBody[]).map((s) => [s['role'], s['display_name']]).sort(), [
    ['business_owner', 'Daniel Okafor'],
    ['technical_owner', 'Aisha Patel'],
  ]);

  const events = async (): Promise<number[]> =>
    await Promise.all(
      ['card.', 'relation.', 'user.created'].map(
        async (type) => (await api.get('/events', { query: { type, page_size: 1 } })).body.total,
      ),
    );
  const before = await events();
  const second = await demo('--url', origin, '--email', email, '--password', password);
  t.equal(second.code, 0, second.err);
  for (const [stage, n] of [
    ['people', landscape.users.length],
    ['cards', landscape.cards.length],
    ['relations', landscape.relations.length],
    ['roles', landscape.involvements.length],
  ] as const) {
    t.match(second.out, new RegExp(`^${stage} +${n} unchanged$`, 'm'));
  }
  t.match(second.out, /all of it was there/);
  t.same(await events(), before, 'and there is no event');
});

t.test('--help lists the options without a request to the service', async (t) => {
  const { code, out, err } = await demo('--url', 'http://127.0.0.1:9', '--help');
  t.same([code, err], [0, '']);
  for (const option of ['--url', '--email', '--password', '--setup-code']) t.match(out, option);
});

t.test('it reports what is missing when it cannot continue', async (t) => {
  const noService = await demo('--url', 'http://127.0.0.1:9');
  t.same([noService.code, noService.out], [1, '']);
  t.match(noService.err, /There is no service at http:\/\/127\.0\.0\.1:9/);
  const taken = await demo('--url', other.origin);
  t.equal(taken.code, 1);
  t.match(taken.err, /give --email and --password/);
  const wrong = await demo('--url', other.origin, '--email', 'ada@example.org', '--password', 'not-the-right-one-4711');
  t.equal(wrong.code, 1);
  t.match(wrong.err, /E-mail ada@example\.org and password do not match/);
});

t.test('a progress bar on a terminal, otherwise plain lines', async (t) => {
  const drawn = (isTTY: boolean): string => {
    let text = '';
    const progress = new Progress(
      {
        isTTY,
        write: (more) => {
          text += more;
        },
      },
      4,
    );
    progress.advance('cards', 1);
    progress.advance('cards', 1);
    progress.stage('cards', '2 created');
    return text;
  };
  t.match(drawn(true), /\r\[#{16}\.{16}\] {2}50 % {2}cards/);
  t.equal(drawn(false), 'cards         2 created\n');
});
