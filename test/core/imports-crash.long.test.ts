import t from 'tap';
import { client, createDatabase, registerAdmin, sql, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { applied, staged, type ImportBody } from '../support/imports.js';
import { dataFolder, startService } from '../support/service.js';

const ROWS = 10_000;
const KILLS = 10;
const SECRET = Buffer.alloc(32, 'crash').toString('base64');

const database = await createDatabase();
const folder = await dataFolder();
const start = () =>
  startService({ dataDir: folder.path, env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET } });
let service = await start();
t.teardown(async () => {
  await service.stop();
  await folder.remove();
});
const { token } = await registerAdmin(service.origin);

/** Number of rows, half of them with cards, that fill several chunks of the first level: two of these are written at the same time. */
const FLAT = 8_400;
/** Cards without a parent, and cards in trees of ten levels, each with a relation to the next. */
const lines = Array.from({ length: ROWS }, (_, i) =>
  JSON.stringify(
    i % 2 === 0
      ? {
          type: 'Application',
          name: `Crash ${i}`,
          external_id: `crash-${i}`,
          ...(i >= FLAT && i % 20 !== 0 && { parent: { type: 'Application', external_id: `crash-${i - 2}` } }),
        }
      : {
          relation: {
            type: 'related',
            source: { type: 'Application', external_id: `crash-${i - 1}` },
            target: { type: 'Application', external_id: `crash-${(i + 1) % ROWS}` },
          },
        },
  ),
).join('\n');

interface Stored {
  cards: number;
  relations: number;
  card_rows: number;
  relation_rows: number;
  versions: number;
  events: number;
}

/** Stored cards and relations, and those that the import reports as written. */
async function stored(): Promise<Stored> {
  return (
    await sql<Stored & Record<string, unknown>>(
      database,
      `select (select count(*)::int from cards) as cards, (select count(*)::int from relations) as relations,
    (select count(*)::int from import_rows where kind = 'card' and applied_at is not null) as card_rows, (select count(*)::int from import_rows where kind = 'relation' and applied_at is not null) as relation_rows,
    (select count(*)::int from card_versions) + (select count(*)::int from relation_versions) as versions,
    (select count(*)::int from (select type from events union all select type from event_outbox) e where e.type in ('card.created', 'relation.created')) as events`,
    )
  )[0]!;
}

await t.test(`a service killed ${KILLS} times while it applies ${ROWS} rows continues at the next row`, async (t) => {
  const read = await staged(client(service.origin, token), 'ndjson', lines);
  t.match(read, { state: 'ready', counts: { card: { create: ROWS / 2 }, relation: { create: ROWS / 2 } } });
  t.equal((await client(service.origin, token).post(`/imports/${read.id}/apply`)).status, 202);
  let resumed = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = await stored();
    // Each round applies a part of the rows; the service is killed during the next chunk.
    const next = Math.min(ROWS - 1, Math.floor((ROWS * (kill - 1)) / KILLS) + 1);
    await until(async () => {
      const s = await stored();
      return s.card_rows + s.relation_rows >= next;
    }, 60_000);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
    await service.kill9();
    // The lease of the killed service is ended, so that the test need not wait for it.
    await sql(
      database,
      `update jobs set lease_until = clock_timestamp() where type = 'imports.apply' and state = 'running'`,
    );
    await until(
      async () =>
        (
          await sql(
            database,
            `select from pg_stat_activity where application_name = 'lintel' and datname = current_database()`,
          )
        ).length === 0,
      20_000,
    );
    const after = await stored();
    t.equal(after.cards, after.card_rows, `kill ${kill}: the stored cards are those of the written rows`);
    t.equal(after.relations, after.relation_rows, `kill ${kill}: the stored relations are those of the written rows`);
    t.equal(after.versions, after.cards + after.relations, `kill ${kill}: a version each`);
    t.equal(after.events, after.cards + after.relations, `kill ${kill}: an event each`);
    if (after.cards + after.relations < ROWS && after.cards + after.relations > before.cards + before.relations)
      resumed++;
    service = await start();
  }
  const api = client(service.origin, token);
  const done = await until(async () => {
    const { body } = await api.get<ImportBody>(`/imports/${read.id}`);
    return body.state === 'applying' ? undefined : body;
  }, 120_000);
  t.match(done, {
    state: 'applied',
    counts: { card: { create: ROWS / 2 }, relation: { create: ROWS / 2 } },
    progress: { done: ROWS, total: ROWS },
  });
  t.match(await stored(), { cards: ROWS / 2, relations: ROWS / 2, versions: ROWS, events: ROWS });
  const early = await sql(
    database,
    `select from cards c join events e on e.subject_id = c.id::text and e.type = 'card.created' join events p on p.subject_id = c.parent_id::text and p.type = 'card.created'
      where e.position < p.position`,
  );
  t.equal(early.length, 0, 'the event of a parent comes before those of its children');
  t.ok(resumed >= 3, `${resumed} of ${KILLS} kills were in the middle`);
  const again = await staged(api, 'ndjson', lines);
  t.strictSame(again.counts, { card: { unchanged: ROWS / 2 }, relation: { unchanged: ROWS / 2 } });
});

await t.test('a service killed while it reads a file reads it again', async (t) => {
  const api = () => client(service.origin, token);
  const { body } = await api().send<ImportBody>('POST', '/imports', lines, {
    headers: { 'content-type': 'application/x-ndjson' },
  });
  for (let kill = 0; kill < 2; kill++) {
    await until(
      async () =>
        (
          await sql<{ n: number }>(database, 'select count(*)::int as n from import_rows where import_id = $1', [
            body.id,
          ])
        )[0]!.n > 1_000,
      30_000,
    );
    await service.kill9();
    await sql(
      database,
      `update jobs set lease_until = clock_timestamp() where type = 'imports.parse' and state = 'running'`,
    );
    service = await start();
  }
  const read = await until(async () => {
    const { body: now } = await api().get<ImportBody>(`/imports/${body.id}`);
    return now.state === 'ready' && now;
  }, 60_000);
  t.strictSame(read.counts, { card: { unchanged: ROWS / 2 }, relation: { unchanged: ROWS / 2 } });
  t.equal((await sql(database, 'select from files')).length, 0, 'no file is kept that was read');
});

await t.test('a service killed while cards exchange their names completes the exchange', async (t) => {
  const api = () => client(service.origin, token);
  const pairs = 2_500;
  const kills = 3;
  const name = (i: number) => `Exchanged ${i}`;
  const rows = (shift: number) =>
    Array.from({ length: 2 * pairs }, (_, i) =>
      JSON.stringify({ type: 'Provider', external_id: `exchanged-${i}`, name: name((i + shift) % (2 * pairs)) }),
    ).join('\n');
  const made = await staged(api(), 'ndjson', rows(0));
  t.equal((await applied(api(), made.id)).state, 'applied');
  const read = await staged(api(), 'ndjson', rows(pairs));
  t.strictSame(read.counts.card, { update: 2 * pairs });
  t.equal((await api().post(`/imports/${read.id}/apply`)).status, 202);
  const written = async () =>
    (
      await sql<{ n: number }>(
        database,
        'select count(*)::int as n from import_rows where import_id = $1 and applied_at is not null',
        [read.id],
      )
    )[0]!.n;
  for (let kill = 0; kill < kills; kill++) {
    await until(async () => (await written()) > kill * 1_000, 60_000);
    await service.kill9();
    await sql(
      database,
      `update jobs set lease_until = clock_timestamp() where type = 'imports.apply' and state = 'running'`,
    );
    await until(
      async () =>
        (
          await sql(
            database,
            `select from pg_stat_activity where application_name = 'lintel' and datname = current_database()`,
          )
        ).length === 0,
      20_000,
    );
    const [half] = await sql<{ n: number }>(
      database,
      `select count(*)::int as n from card_rows where type = 'Provider' and version = 2`,
    );
    t.equal(half!.n, await written(), 'the stored cards are those of the written rows');
    service = await start();
  }
  const done = await until(async () => {
    const { body } = await api().get<ImportBody>(`/imports/${read.id}`);
    return body.state !== 'applying' && body;
  }, 120_000);
  t.match(done, { state: 'applied', counts: { card: { update: 2 * pairs } } });
  const wrong = await sql(
    database,
    `select from card_rows where type = 'Provider' and (version <> 2 or name <> 'Exchanged ' || ((substr(external_id, 11)::int + $1) % ($1 * 2)))`,
    [pairs],
  );
  t.equal(wrong.length, 0);
});
