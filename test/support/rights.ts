import type { Test } from 'tap';
import {
  login,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type EventStream,
  type Session,
} from './app.js';

export const READ = ['cards.view', 'relations.view', 'stakeholders.view'];
/** A cost in an event, of a card or a relation. */
export const COST = /"(old|new|costTotalAnnual|fee)":777\d{6}/;
/** Texts written after the permission is revoked. */
export const AFTER = /after-\d+/;

export interface World {
  role: string;
  user: Session;
  card: string;
  feeds: string;
  touches: string;
  stakeholderId: string | undefined;
}

/** A permission that is revoked while a stream is open. */
export interface Revocation {
  what: string;
  /** Permissions of the user's role in addition to READ. */
  permissions: string[];
  /** A stakeholder role the user has on the card. */
  stakeholder?: string;
  /** Events that the user receives before the permission is revoked. */
  sees: RegExp[];
  revoke(world: World, nodes: Nodes): Promise<unknown>;
  /** Events that must not be delivered after the permission is revoked. */
  forbidden: RegExp;
  /** Events that are still delivered, if any; otherwise the stream ends. */
  stillDelivered?: RegExp;
}

/** @throws with the response unless it was successful */
export async function done(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
}

export type Nodes = Awaited<ReturnType<typeof startNodes>>;

/** Two nodes, the second without a notifier, so that it detects changes only by polling. */
export async function startNodes() {
  const a = await testApp();
  const b = await testApp({ database: a.database });
  await b.app.services.notifier.close();
  const admin = await registerAdmin(a.origin);
  const onB = await login(b.origin, admin.user.email);
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await admin.api.post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const nodes = {
    a,
    b,
    admin,
    onB,
    make,
    setRole: (role: string, permissions: string[]) => done(admin.api.patch(`/roles/${role}`, { permissions })),
    roleRules: (key: string, types: object): Promise<unknown> =>
      sql(
        a.database,
        `with r as (update roles set types = $2 where key = $1) update revisions set revision = revision + 1 where kind = 'permissions'`,
        [key, JSON.stringify(types)],
      ),
    put: (id: string) =>
      sql(
        a.database,
        `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id) values ('metamodel.noticed', clock_timestamp(), 'test', 'metamodel', $1)`,
        [id],
      ),
    close: () => Promise.all([a.close(), b.close()]),
  };
  await make('/metamodel/relation-types', {
    key: 'feeds',
    label: 'feeds',
    source_type: 'Application',
    target_type: 'Application',
    fields: [{ key: 'fee', kind: 'cost' }],
  });
  await make('/metamodel/relation-types', {
    key: 'touches',
    label: 'touches',
    source_type: '*',
    target_type: '*',
    fields: [{ key: 'note', kind: 'text' }],
  });
  return nodes;
}

let roles = 0;

async function worldOf({ make, admin }: Nodes, { permissions, stakeholder }: Revocation): Promise<World> {
  const role = `reader_${++roles}`;
  await make('/roles', { key: role, label: role, permissions: [...READ, ...permissions] });
  const user = await makeUser(admin, role);
  const application = (name: string) => make('/cards', { type: 'Application', name: `${name} of ${role}` });
  const [card, peer, provider] = [
    await application('Card'),
    await application('Peer'),
    await make('/cards', { type: 'Provider', name: `Provider of ${role}` }),
  ];
  const feeds = await make('/relations', {
    type: 'feeds',
    source_id: card,
    target_id: peer,
    attributes: { fee: 777000001 },
  });
  const touches = await make('/relations', { type: 'touches', source_id: card, target_id: provider });
  const stakeholderId =
    stakeholder === undefined
      ? undefined
      : await make(`/cards/${card}/stakeholders`, { user_id: user.user.id, role: stakeholder });
  return { role, user, card, feeds, touches, stakeholderId };
}

let count = 0;

/** Changes all objects of a world, on both nodes, until it is stopped. */
function writing({ admin, onB }: Nodes, world: World) {
  let [isRevoked, stopped] = [false, false];
  const write = async (by: Session): Promise<void> => {
    while (!stopped) {
      const n = ++count;
      const [word, cost] = isRevoked ? [`after-${n}`, 777500000 + n] : [`before-${n}`, 777000000 + n];
      await done(by.api.patch(`/cards/${world.card}`, { description: word, attributes: { costTotalAnnual: cost } }));
      await done(by.api.patch(`/relations/${world.feeds}`, { description: word, attributes: { fee: cost } }));
      await done(by.api.patch(`/relations/${world.touches}`, { description: word }));
    }
  };
  const writers = Promise.all([write(admin), write(onB), write(onB)]);
  writers.catch(() => undefined);
  return {
    revoked(): void {
      isRevoked = true;
    },
    async stop(): Promise<void> {
      stopped = true;
      await writers;
    },
  };
}

const textOf = (stream: EventStream): string[] =>
  stream.events.map((e) => `${e.id} ${e.event} ${JSON.stringify(e.data)}`);

/**
 * Opens a stream on the second node, revokes the permission on the first while both write, and checks the events received.
 * Changes that begin after the response to the revocation contain other texts and numbers than those before.
 */
export async function revokeWhileConnected(t: Test, nodes: Nodes, revocation: Revocation): Promise<void> {
  const { b, onB, put } = nodes;
  const world = await worldOf(nodes, revocation);
  const isOf = (text: string): boolean => [world.card, world.feeds, world.touches].some((id) => text.includes(id));
  const start = b.app.services.events.head;
  const [stream, watch] = [await openStream(b.origin, world.user.token), await openStream(b.origin, onB.token)];
  const { revoked, stop } = writing(nodes, world);
  t.teardown(async () => {
    stream.close();
    watch.close();
    await stop();
  });
  await until(() => revocation.sees.every((pattern) => textOf(stream).some((text) => pattern.test(text))), 10_000);
  await revocation.revoke(world, nodes);
  revoked();
  const after = () =>
    watch.events.map((e) => `${e.id} ${JSON.stringify(e.data)}`).filter((text) => AFTER.test(text) && isOf(text));
  await until(() => after().length > 10, 15_000);
  await stop();
  await put(`end of ${world.role}`);
  const isEnd = (e: { data: unknown }): boolean => JSON.stringify(e.data).includes(`end of ${world.role}`);
  await watch.waitFor(isEnd, 10_000);
  if (revocation.stillDelivered) await stream.waitFor(isEnd, 10_000);
  else
    await Promise.race([
      stream.ended,
      new Promise((_, reject) => setTimeout(() => reject(new Error('the stream did not end')), 5_000)),
    ]);

  const afterwards = new Set(watch.events.filter((e) => AFTER.test(JSON.stringify(e.data))).map((e) => e.id));
  const got = stream.events.filter((e) => afterwards.has(e.id)).map((e) => JSON.stringify(e));
  t.strictSame(
    got.filter((text) => revocation.forbidden.test(text)).slice(0, 2),
    [],
    `of ${afterwards.size} changes after the revocation, ${got.length} arrived`,
  );
  if (revocation.stillDelivered === AFTER) t.ok(got.length > 0, 'permitted events are still delivered');
  if (!revocation.stillDelivered) {
    t.equal((await openStream(b.origin, world.user.token, { lastEventId: start })).status, 401);
    return;
  }
  const resumed = await openStream(b.origin, world.user.token, { lastEventId: start });
  t.teardown(resumed.close);
  await resumed.waitFor(isEnd, 10_000);
  t.strictSame(
    textOf(resumed)
      .filter((text) => isOf(text) && revocation.forbidden.test(text))
      .slice(0, 2),
    [],
    'also when resuming from the start',
  );
}
