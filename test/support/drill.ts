import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import type { Test } from 'tap';
import { client, login, openStream, PASSWORD, registerAdmin, until, type Client } from './app.js';
import { launchService } from './service.js';

const MAIL_PASSWORD = 'open-sesame-of-the-mail-server';

/** The data of a service before the backup, which it must have after the restore. */
export interface Filled {
  /** An access token issued before the backup. */
  token: string;
  card: string;
  /** Position of the last event. */
  head: number;
}

/** A restore drill: the data written to a service, and the checks of the restored one. */
export interface Drill {
  /** Environment variables of its services. */
  env: NodeJS.ProcessEnv;
  /** Registers the administrator. */
  begin(origin: string): Promise<Client & { token: string }>;
  /** Stores a secret and makes a card. */
  fill(api: Client & { token: string }): Promise<Filled>;
  /** Makes cards that the restore will undo. @returns the position of the last event */
  makeLost(api: Client): Promise<number>;
  /** Runs the checks of docs/operations.md. @param lost a position that the restore has undone */
  check(t: Test, origin: string, filled: Filled, lost: number): Promise<void>;
  close(): Promise<void>;
}

export async function restoreDrill(): Promise<Drill> {
  const passwords: unknown[] = [];
  // The stored password is checked by a mail server, which receives it in clear text.
  const mail = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ password }, _session, done) => {
      passwords.push(password);
      done(null, { user: 'lintel' });
    },
    onData: (stream, _session, done) => {
      stream.resume().once('end', () => done());
    },
  });
  mail.listen(0, '127.0.0.1');
  await once(mail.server, 'listening');
  const { port } = mail.server.address() as { port: number };
  return {
    env: { OUTBOUND_ALLOW: '127.0.0.1' },
    begin: async (origin) => {
      const { api, token } = await registerAdmin(origin);
      return { ...api, token };
    },
    fill: async (api) => {
      const smtp = {
        host: '127.0.0.1',
        port,
        security: 'none',
        user: 'lintel',
        password: MAIL_PASSWORD,
        from_address: 'lintel@example.org',
      };
      const set = await api.patch('/settings/smtp', smtp);
      if (set.status !== 200) throw new Error(`the mail settings gave ${set.status}: ${JSON.stringify(set.body)}`);
      const card = (await api.post('/cards', { type: 'Application', name: 'Kept' })).body.id;
      return { token: api.token, card, head: await latest(api) };
    },
    makeLost: async (api) => {
      const before = await latest(api);
      for (let n = 0; n < 5; n++) await api.post('/cards', { type: 'Application', name: `Lost ${n}` });
      return await until(async () => {
        const last = await latest(api);
        return last >= before + 5 && last;
      });
    },
    check: async (t, origin, { token, card, head }, lost) => {
      const api = client(origin, token);
      t.match(
        await api.get(`/cards/${card}`),
        { status: 200, body: { name: 'Kept' } },
        'a token issued before the backup is valid, and the card exists',
      );
      t.equal((await login(origin, 'admin@example.org', PASSWORD)).user.role, 'admin', 'a log-in');
      passwords.length = 0;
      t.match((await api.post<object>('/settings/smtp/test')).body, { ok: true });
      t.strictSame(passwords, [MAIL_PASSWORD], 'a stored secret is unchanged');
      const before = await latest(api);
      t.ok(before >= head, 'no event is missing');
      const stream = await openStream(origin, token, { lastEventId: head });
      const made = await api.post('/cards', { type: 'Application', name: 'Made after' });
      t.equal(made.status, 201, 'a write');
      const event = await stream.waitFor(({ data }) => (data as { subject: string }).subject === made.body.id, 10_000);
      t.ok(Number(event.id) > before, 'positions continue after the highest one before');
      t.notOk(
        stream.events.some(({ event: type }) => type === 'reset'),
        'a receiver resumes at its position',
      );
      stream.close();
      // As many events as were lost, and more: their positions must not be given again.
      for (let n = 0; n < 10; n++) await api.post('/cards', { type: 'Application', name: `Later ${n}` });
      const returned = await openStream(origin, token, { lastEventId: lost });
      t.match(
        await returned.waitFor(() => true, 10_000),
        { event: 'reset', data: { reason: 'lost' } },
        'a receiver of lost events is told, also later',
      );
      returned.close();
      t.notOk(await exists(api, lost), 'the position is not given again');
    },
    close: () => new Promise((resolve) => mail.close(resolve)),
  };
}

const latest = async (api: Client): Promise<number> =>
  await until(
    async () => (await api.get<{ items: { id: number }[] }>('/events', { query: { page_size: 1 } })).body.items[0]?.id,
  );

const exists = async (api: Client, position: number): Promise<boolean> =>
  (await api.get(`/events/${position}`)).status === 200;

/** Starts a service with a key other than that of the stored secrets. @returns its exit code and output */
export async function startedWithAnotherKey(dataDir: string, env: NodeJS.ProcessEnv): Promise<string> {
  const service = launchService({
    dataDir,
    env: { ...env, LINTEL_SECRET_KEY: Buffer.alloc(32, 'other').toString('base64') },
  });
  const { code } = await service.exited;
  return `${code}: ${service.output()}`;
}
