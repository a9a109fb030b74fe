import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { createDatabase, openStream, registerAdmin, sql } from '../support/app.js';
import { withTimeout, Nodes, random } from '../support/nodes.js';
import { Writers } from '../support/writers.js';

const CHANGES = 10_000;
const WRITERS = 32;
const DROPS = 100;
const KILLS = 10;
/** Number of confirmed changes between two kills or the stop. */
const CHANGES_PER_KILL = CHANGES / (KILLS + 2);

const nodes = await Nodes.start(2, await createDatabase());
t.teardown(() => nodes.stop());
const { token } = await registerAdmin(nodes.origin(0));
const writers = new Writers(nodes, token);
await writers.prepare();

interface Received {
  id: number;
  type: string;
  subject: string;
  version: number | undefined;
  requestId: string | null;
}

/** Reads the log from its beginning on random nodes; disconnects at random and resumes from the last position. */
class Receiver {
  readonly received: Received[] = [];
  drops = 0;
  cuts = 0;

  constructor(private readonly types: string | undefined) {}

  async follow(isDone: () => Promise<boolean>): Promise<void> {
    for (;;) {
      const stream = await withTimeout(
        openStream(nodes.origin(), token, {
          lastEventId: this.received.at(-1)?.id ?? 0,
          query: this.types === undefined ? {} : { types: this.types },
        }),
      ).catch(() => undefined);
      if (stream?.status !== 200) {
        await delay(50);
        continue;
      }
      let isOver = false;
      void stream.ended.then(() => {
        isOver = true;
      });
      const leave = performance.now() + random(1_000);
      while (!isOver && performance.now() < leave) {
        await Promise.race([stream.ended, delay(20)]);
        for (const event of stream.events.splice(0)) {
          const { subject, data } = event.data as {
            subject: string;
            data: { version?: number; request_id: string | null };
          };
          this.received.push({
            id: Number(event.id),
            type: event.event,
            subject,
            version: data.version,
            requestId: data.request_id,
          });
        }
      }
      if (isOver) this.cuts++;
      else this.drops++;
      stream.close();
      if (await isDone()) return;
    }
  }
}

interface Row {
  position: string;
  type: string;
  subject_id: string;
  version: number | null;
  request_id: string | null;
  change_id: string | null;
}
const KINDS = [
  ['card', 'card_versions'],
  ['relation', 'relation_versions'],
] as const;

await t.test(
  `${CHANGES} changes by ${WRITERS} writers on two nodes that are killed and stopped: the stream equals the log, and the log equals the confirmed changes`,
  async (t) => {
    const all = new Receiver(undefined);
    const some = new Receiver('relation.');
    let isWriting = true;
    const reached = (receiver: Receiver, last: number): boolean =>
      !isWriting && (receiver.received.at(-1)?.id ?? 0) >= last;
    const lastOf = async (types: string): Promise<number> =>
      Number(
        (
          await sql<{ last: string }>(nodes.database, `select max(position) as last from events where type ~ $1`, [
            types,
          ])
        )[0]!.last,
      );
    const receiving = Promise.all([
      all.follow(
        async () => all.drops >= DROPS && !isWriting && (await nodes.isNumbered()) && reached(all, await lastOf('.')),
      ),
      some.follow(async () => !isWriting && (await nodes.isNumbered()) && reached(some, await lastOf('^relation[.]'))),
    ]);
    receiving.catch(() => undefined);
    const writing = writers.run(WRITERS);
    t.teardown(() => writers.stop());

    let stops = 0;
    for (let n = 1; n <= KILLS + 1; n++) {
      await Promise.race([
        writing,
        (async () => {
          while (writers.confirmed < n * CHANGES_PER_KILL) await delay(20);
        })(),
      ]);
      if (n === 4) {
        await nodes.freezeHolder();
        stops++;
      } else await nodes.kill(n % 2 === 1 ? nodes.holder : random(2));
    }
    while (writers.confirmed < CHANGES) await Promise.race([writing, delay(20)]);
    writers.stop();
    await writing;
    isWriting = false;
    await receiving;

    const { kills } = nodes;
    t.ok(kills.all === KILLS && kills.ofHolder >= KILLS / 2 && stops === 1);
    t.ok(all.drops >= DROPS && all.cuts > 0, 'the receiver dropped its connection, and it was cut');
    const log = await sql<Row & Record<string, unknown>>(
      nodes.database,
      `select position, type, subject_id, (data->>'version')::int as version, request_id, change_id from events order by position`,
    );
    t.strictSame(
      log.map((e) => Number(e.position)),
      log.map((_, i) => i + 1),
      'positions are dense',
    );
    const asReceived = log.map(
      (e): Received => ({
        id: Number(e.position),
        type: e.type,
        subject: e.subject_id,
        version: e.version ?? undefined,
        requestId: e.request_id,
      }),
    );
    const differing = asReceived.findIndex((event, i) => JSON.stringify(event) !== JSON.stringify(all.received[i]));
    t.equal(differing, -1, 'the received events are the log: none lost, duplicated or out of order');
    t.equal(all.received.length, log.length);
    t.strictSame(
      some.received,
      asReceived.filter(({ type }) => type.startsWith('relation.')),
      'so it is with a filter',
    );

    for (const [kind, table] of KINDS) {
      const stored = await sql<{ key: string }>(
        nodes.database,
        `select id || ' ' || version || ' ' || change_id as key from ${table} order by id, version`,
      );
      const reported = log.filter((e) => e.type === `${kind}.created` || e.type === `${kind}.updated`);
      t.strictSame(
        reported.map((e) => `${e.subject_id} ${e.version} ${e.change_id}`).sort(),
        stored.map(({ key }) => key).sort(),
        `every version of a ${kind} has its event, and every event its version`,
      );
      const last = new Map<string, number>();
      const disordered = reported.filter((e) => {
        const before = last.get(e.subject_id) ?? 0;
        last.set(e.subject_id, e.version!);
        return e.version !== before + 1;
      });
      t.strictSame(disordered, [], `the versions of each ${kind} are in order`);
    }
    const gone = log.filter((e) => e.type === 'relation.deleted').map((e) => e.subject_id);
    t.ok(gone.length > 0);
    t.strictSame(
      await sql(nodes.database, 'select id from relations where id = any($1)', [gone]),
      [],
      'objects with a deletion event do not exist',
    );
    t.equal(
      gone.length,
      (
        await sql(
          nodes.database,
          'select distinct id from relation_versions v where not exists (select from relations r where r.id = v.id)',
        )
      ).length,
      'and nothing else',
    );

    const events = new Map<string, number>();
    for (const { request_id } of log)
      if (request_id !== null) events.set(request_id, (events.get(request_id) ?? 0) + 1);
    const wrong = writers.writes.filter(({ requestId, events: due, isConfirmed }) => {
      const found = events.get(requestId) ?? 0;
      return found !== due && (isConfirmed || found !== 0);
    });
    t.strictSame(wrong, [], 'a confirmed write is in the log once, another one completely or not at all');
    t.ok(
      writers.writes.filter(({ kind }) => kind !== 'single').length >= writers.writes.length * 0.3,
      'a third were relations and bulks',
    );
    const unknown = writers.writes.filter(({ isConfirmed }) => !isConfirmed);
    t.notMatch(nodes.output, /"level":(50|60)/, 'no node complained of a defect');
    t.comment(
      `${log.length} events of ${writers.writes.length} writes; ${kills.all} kills, ${kills.ofHolder} of the one that numbers; ${all.drops} drops and ${all.cuts} cuts; ` +
        `${writers.failures} attempts without an answer, ${unknown.length} writes never answered, ${unknown.filter(({ requestId }) => events.has(requestId)).length} of them done`,
    );
  },
);
