/** The connector `rest`: paging over lists that move, and servers that do not page as they should. */
import t, { type Test } from 'tap';
import type { Connector } from '@lintel/sdk';
import { rest } from '../connectors/rest/index.js';
import { restTable } from './contracts.js';
import { RestServer } from './simulators/rest.js';
import { idsOf, openConnector } from './support/connection.js';

const server = await RestServer.start();
t.teardown(() => server.close());
t.beforeEach(() => {
  server.before = () => false;
  server.most = 1_000;
  server.fill(0);
  server.requests = [];
});

type Kind = Parameters<typeof restTable>[0];
const open = (kind: Kind, more: object = {}, settings: object = {}, secrets = {}): Connector =>
  openConnector(
    rest,
    { url: `${server.origin}/api`, auth: 'none', tables: [restTable(kind, more)], ...settings },
    { secrets },
  );
const ids = (): string[] => server.items.map(({ id }) => String(id));
const rejects = async (t: Test, work: Promise<unknown>, fault: string, text: RegExp, what: string) =>
  await t.rejects(work, { fault, message: text }, what);

t.test('many pages with removals at random places leave out no record', async (t) => {
  for (const kind of ['offset', 'page'] as const)
    for (const [most, limit] of [
      [1_000, 50],
      [20, 50],
      [1_000, 7],
    ] as const) {
      server.fill(400);
      server.most = most;
      const connector = open(kind);
      const [all, removed, found] = [ids(), new Set<string>(), new Set<string>()];
      let seed = most + limit;
      const random = (n: number): number => ((seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >>> 12) % n;
      for (let cursor: string | undefined, n = 0; n < 1_000; n++) {
        const page = await connector.read({ table: 'items', fields: [], limit, cursor });
        for (const { id } of page.records) found.add(id);
        cursor = page.next;
        if (cursor === undefined) break;
        for (let k = random(4); k > 0; k--) {
          const id = ids()[random(server.items.length)]!;
          removed.add(id);
          server.remove(id);
        }
        if (random(3) === 0) server.put({ name: 'New' });
      }
      t.ok(removed.size > 5);
      t.strictSame(
        all.filter((id) => !removed.has(id) && !found.has(id)),
        [],
        `${kind}, at most ${most} records of a page, limit ${limit}`,
      );
    }
});

t.test('a list that has lost all records that were read last is an error, not a shorter list', async (t) => {
  server.fill(900);
  for (const kind of ['offset', 'page', 'fixed'] as const) {
    server.fill(900);
    const connector = open(kind);
    let cursor: string | undefined;
    for (let n = 0; n < 5; n++)
      cursor = (await connector.read({ table: 'items', fields: [], limit: 100, cursor })).next;
    server.items = server.items.slice(850);
    await rejects(
      t,
      connector.read({ table: 'items', fields: [], limit: 100, cursor }),
      'invalid_answer',
      /missing/,
      kind,
    );
  }
});

t.test('servers that do not obey their paging are errors', async (t) => {
  server.fill(50);
  const ignored = (url: URL): void => {
    url.searchParams.delete('page');
    url.searchParams.delete('offset');
  };
  server.before = (url, response) => {
    ignored(url);
    server.send(response, 200, { meta: { total: 50 }, data: server.items.slice(0, 20).map(({ id }) => ({ id })) });
    return true;
  };
  await rejects(t, idsOf(open('offset'), 'items', 20), 'invalid_answer', /do not fit together/, 'offset');
  await rejects(t, idsOf(open('page'), 'items', 20), 'invalid_answer', /do not fit together|missing/, 'page');
  server.before = () => false;
  server.most = 1;
  for (const kind of ['offset', 'page'] as const)
    await rejects(
      t,
      idsOf(open(kind), 'items', 20),
      'invalid_answer',
      /too small|missing/,
      `${kind}: pages of one record`,
    );
});

t.test('an empty page in the middle is not the end', async (t) => {
  server.fill(50);
  for (const kind of ['offset', 'page'] as const) {
    const connector = open(kind, { total: '' });
    const { next } = await connector.read({ table: 'items', fields: [], limit: 20 });
    server.before = (url, response) => {
      const start = Number(
        url.searchParams.get('offset') ??
          (Number(url.searchParams.get('page')) - 1) * Number(url.searchParams.get('limit')),
      );
      if (start < 15) return false;
      server.send(response, 200, { data: [] });
      return true;
    };
    const rest = async (): Promise<void> => {
      for (let cursor = next; cursor !== undefined; )
        cursor = (await connector.read({ table: 'items', fields: [], limit: 20, cursor })).next;
    };
    await rejects(t, rest(), 'invalid_answer', /do not fit together|missing|too small/, kind);
    server.before = () => false;
  }
});

t.test('pages that are smaller or larger than asked', async (t) => {
  server.fill(100);
  for (const kind of ['offset', 'page', 'cursor', 'body', 'header', 'fixed', 'all'] as const) {
    server.most = 30;
    t.strictSame(await idsOf(open(kind === 'all' ? 'cursor' : kind), 'items', 60), ids(), `${kind}: at most 30`);
    server.most = 1_000;
    t.strictSame(await idsOf(open(kind), 'items', 2), ids(), `${kind}: two of each`);
  }
  server.requests = [];
  t.strictSame(await idsOf(open('all'), 'items', 10), ids());
  t.equal(server.requests.length, 1, 'a list that is one page is requested once');
});

t.test('links and cursors in a circle, to other servers, and too long', async (t) => {
  server.fill(5);
  let count = 0;
  const answer = (next: unknown) => {
    server.before = (_url, response) => {
      count += 1;
      server.send(response, 200, { data: [{ id: count }], links: { next }, meta: { next } });
      return true;
    };
  };
  const circle = (): void => {
    server.before = (url, response) => {
      const at = Number(url.searchParams.get('cursor') ?? 0);
      const next = at === 7 ? 3 : at + 1;
      server.send(response, 200, {
        data: [{ id: ++count }],
        meta: { next: String(next), total: 1 },
        links: { next: `/api/body?cursor=${next}` },
      });
      return true;
    };
  };
  const noTotal = { total: '' };
  for (const kind of ['cursor', 'body'] as const) {
    circle();
    await rejects(t, idsOf(open(kind, noTotal), 'items'), 'invalid_answer', /cycle/, kind);
  }
  for (const [link, text] of [
    ['https://evil.example/api/body?cursor=2', /another server/],
    ['//evil.example/body', /another server/],
    ['https:///', /another server/],
    ['javascript:alert(1)', /another server/],
    [`/api/${'x'.repeat(3_000)}`, /more than/],
    [{ href: '/x' }, /no text/],
  ] as const) {
    answer(link);
    await rejects(t, idsOf(open('body'), 'items'), 'invalid_answer', text, JSON.stringify(link).slice(0, 50));
  }
  answer('x'.repeat(3_000));
  await rejects(t, idsOf(open('cursor', noTotal), 'items'), 'invalid_answer', /more than/, 'a long cursor');
});
