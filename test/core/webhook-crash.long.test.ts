import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { client, createDatabase, registerAdmin, sql, until } from '../support/app.js';
import { Nodes, random } from '../support/nodes.js';
import { startReceiver } from '../support/receiver.js';
import { Writers } from '../support/writers.js';

const CHANGES = 3_000;
const WRITERS = 16;
const KILLS = 5;
const CHANGES_PER_KILL = CHANGES / (KILLS + 1);
/** Failures per event: after a third one the retry would be after half a minute, for which the subject waits. */
const FAILURES_OF_ONE = 2;
const TYPES = ['relation.', 'card.created'];

const nodes = await Nodes.start(2, await createDatabase(), { OUTBOUND_ALLOW: '127.0.0.1' });
t.teardown(() => nodes.stop());
const { token } = await registerAdmin(nodes.origin(0));
const writers = new Writers(nodes, token);
await writers.prepare();

const failed = new Map<string, number>();
let cut = 0;
/** Fails every third request, with or without an answer. */
const receiver = await startReceiver(({ id }, nth, response) => {
  if (nth % 3 !== 0 || (failed.get(id) ?? 0) >= FAILURES_OF_ONE) return 204;
  failed.set(id, (failed.get(id) ?? 0) + 1);
  if (random(2) === 0) return 500;
  cut++;
  response.socket?.destroy();
  return undefined;
});
t.teardown(() => receiver.close());

await t.test(
  'a receiver that fails every third time gets all events from nodes that are killed: in order per subject, deduplicable, signed',
  async (t) => {
    const made = await client(nodes.origin(0), token).post<{ id: string; secret: string }>('/webhooks', {
      url: receiver.url,
      types: TYPES,
    });
    t.equal(made.status, 201);
    const begun = await nodes.head();
    const writing = writers.run(WRITERS);
    t.teardown(() => writers.stop());
    for (let n = 1; n <= KILLS; n++) {
      await Promise.race([
        writing,
        (async () => {
          while (!writers.isStopped && writers.confirmed < n * CHANGES_PER_KILL) await delay(20);
        })(),
      ]);
      await nodes.kill(n % 2 === 1 ? nodes.holder : random(2));
    }
    while (writers.confirmed < CHANGES) await Promise.race([writing, delay(20)]);
    writers.stop();
    await writing;
    await until(() => nodes.isNumbered(), 10_000);

    const log = await sql<{ position: string; type: string; subject_id: string }>(
      nodes.database,
      `select position, type, subject_id from events where position > $1 and (type like 'relation.%' or type = 'card.created') order by position`,
      [begun],
    );
    const takenIds = (): Set<string> => new Set(receiver.accepted.map(({ event }) => event.id));
    await until(() => takenIds().size >= log.length, 180_000).catch(() => undefined);
    await until(
      async () =>
        (await sql(nodes.database, `select from webhook_deliveries where state = 'pending' limit 1`)).length === 0,
      60_000,
    );

    const ids = takenIds();
    t.strictSame(
      log.filter(({ position }) => !ids.has(position)),
      [],
      'none is lost',
    );
    t.equal(ids.size, log.length, 'and no other one is received');
    const byId = new Map<string, Set<string>>();
    for (const { id, body } of receiver.requests) byId.set(id, (byId.get(id) ?? new Set()).add(body));
    t.equal(byId.size, ids.size, 'an event has one webhook-id in all attempts');
    t.strictSame(
      [...byId].filter(([, bodies]) => bodies.size > 1),
      [],
      'and the same body in all attempts',
    );

    const last = new Map<string, number>();
    const disordered = receiver.requests.filter(({ event }) => {
      const before = last.get(event.subject) ?? 0;
      last.set(event.subject, Number(event.id));
      return Number(event.id) < before;
    });
    t.strictSame(
      disordered.map(({ event }) => event.id),
      [],
      'the events of each subject are in order, including retries',
    );
    t.ok([...new Set(log.map((e) => e.subject_id))].length < log.length, 'there were subjects with several');

    const library = new Webhook(made.body.secret);
    for (const { body, headers } of receiver.requests) library.verify(body, headers as Record<string, string>);
    t.throws(() =>
      library.verify(`${receiver.requests[0]!.body} `, receiver.requests[0]!.headers as Record<string, string>),
    );

    const failures = [...failed.values()].reduce((sum, n) => sum + n, 0);
    t.ok(nodes.kills.all === KILLS && nodes.kills.ofHolder >= 2 && cut > 50 && failures > receiver.requests.length / 4);
    t.strictSame(await sql(nodes.database, `select state, count(*)::int as n from webhook_deliveries group by 1`), [
      { state: 'delivered', n: log.length },
    ]);
    t.notMatch(nodes.output, /"level":(50|60)/, 'no node complained of a defect');
    t.comment(
      `${log.length} events, ${receiver.requests.length} requests, ${failures} of them failed, ${cut} of those cut; ${receiver.accepted.length - ids.size} taken twice; ${nodes.kills.all} kills, ${nodes.kills.ofHolder} of the one that numbers`,
    );
  },
);
