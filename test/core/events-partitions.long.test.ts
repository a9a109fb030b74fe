/** Partitions are closed and dropped under load, also if the process that closes them is killed. */
import pg from 'pg';
import t from 'tap';
import { client, createDatabase, openStream, registerAdmin, sql, testApp, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { from, head, ids, logged, logOf, partitions, put, retention } from '../support/partitions.js';
import { dataFolder, startService } from '../support/service.js';

await t.test(
  'partitions are closed and dropped while two nodes write and clients reconnect: clients receive the whole log',
  async (t) => {
    const at = await logOf([40]);
    // All later events are of another month, so that every partition is closed after each job.
    await sql(
      at,
      `create function backdate() returns trigger language plpgsql as $$ begin new.occurred_at := new.occurred_at - interval '40 days'; return new; end $$;
    create trigger backdate before insert on event_outbox for each row execute function backdate()`,
    );
    const nodes = [await testApp({ database: at }), await testApp({ database: at })] as const;
    t.teardown(() => Promise.all(nodes.map((node) => node.close())));
    const admin = await registerAdmin(nodes[0].origin);
    const live = await openStream(nodes[1].origin, admin.token);
    t.teardown(live.close);
    const start = await until(() => live.comments[0] !== undefined && Number(/\d+/.exec(live.comments[0])![0]));
    let writing = true;
    let slowest = 0;
    const statuses = new Set<number>();
    const writers = nodes.map(async ({ origin }, n) => {
      const api = client(origin, admin.token);
      for (let i = 0; writing; i++) {
        const began = performance.now();
        statuses.add((await api.post('/cards', { type: 'Application', name: `Writer ${n}, card ${i}` })).status);
        slowest = Math.max(slowest, performance.now() - began);
      }
    });
    t.teardown(() => {
      writing = false;
    });
    const received: number[] = [];
    const endSome = async (atLeast: number): Promise<number> => {
      for (let ended = 0; ; ended++) {
        const before = (await partitions(at)).length;
        if (ended >= atLeast) return before;
        const stream = await openStream(nodes[Math.floor(Math.random() * 2)]!.origin, admin.token, {
          lastEventId: received.at(-1) ?? start,
        });
        await until(async () => {
          // A notification while the current partition is empty closes nothing.
          nodes[ended % 2]!.app.services.notifier.notify('partitions');
          return stream.events.length > 3 && (await partitions(at)).length > before;
        }, 15_000);
        received.push(...ids(stream));
        stream.close();
      }
    };
    const count = await endSome(6);
    t.ok(count >= 8, `${count} partitions`);
    t.strictSame(
      received,
      from(start + 1, received.length),
      'a client that reconnects gets each event once, from every partition',
    );
    t.equal((await logged(at))[0], 1);

    await admin.api.patch('/settings', { event_retention_days: 30 });
    let gone = 0;
    for (let round = 0; round < 3; round++) {
      gone += ((await retention(nodes[round % 2]!)) as { events: number }).events;
      await until(async () => {
        nodes[0].app.services.notifier.notify('partitions');
        return (await partitions(at)).length > 1;
      }, 15_000);
    }
    t.ok(gone > 1_000, `${gone} events were dropped while others were written`);
    writing = false;
    await Promise.all(writers);
    t.strictSame([...statuses], [201]);
    t.ok(slowest < 5_000, `the slowest write took ${Math.round(slowest)} ms`);
    const end = await until(
      async () => (await sql(at, 'select from event_outbox')).length === 0 && (await head(at)),
      10_000,
    );
    await until(() => ids(live).includes(end), 10_000);
    t.strictSame(ids(live), from(start + 1, end - start), 'a stream that stayed open got all of it');
    const left = await logged(at);
    t.strictSame(left, from(gone + 1, end - gone), 'the log is dense, from its first event on');
    t.equal((await admin.api.get('/events')).body.total, left.length);
  },
);

await t.test('killed while a partition is closed: the log continues without loss', async (t) => {
  const at = await createDatabase();
  await put(at, 40, 10);
  const folder = await dataFolder();
  const start = () =>
    startService({
      dataDir: folder.path,
      env: { DATABASE_URL: urlOf(at), LINTEL_SECRET_KEY: Buffer.alloc(32, 'cut').toString('base64') },
    });
  let service = await start();
  t.teardown(async () => {
    await service.stop();
    await folder.remove();
  });
  const admin = await registerAdmin(service.origin);
  await until(async () => (await sql(at, 'select from event_outbox')).length === 0);
  await service.kill9();
  // A reader of the partition delays its detaching, while the log itself is locked.
  const reader = new pg.Client({ ...at });
  await reader.connect();
  await reader.query('begin; lock table events_p0 in access share mode');
  service = await start();
  await until(
    async () =>
      (
        await sql(
          at,
          `select from pg_stat_activity where application_name = 'lintel-sequencer' and wait_event_type = 'Lock'`,
        )
      ).length > 0,
    10_000,
  );
  await service.kill9();
  t.strictSame(await partitions(at), ['events_p0 0..1000000'], 'no partial change is left');
  service = await start();
  const api = { ...admin, origin: service.origin };
  const stream = await openStream(service.origin, api.token, { lastEventId: 0 });
  t.teardown(stream.close);
  await put(at, 0);
  await stream.waitFor((e) => JSON.stringify(e.data).includes('"old 1"'), 10_000);
  await until(async () => ids(stream).includes(await head(at)), 10_000);
  t.equal((await partitions(at)).length, 1, 'events are numbered while it waits to end the partition');
  await reader.query('commit');
  await reader.end();
  await until(async () => (await partitions(at)).length === 2, 10_000);
  await put(at, 0);
  const end = await until(async () => (await sql(at, 'select from event_outbox')).length === 0 && (await head(at)));
  await until(() => ids(stream).includes(end));
  t.strictSame(ids(stream), from(1, end));
});
