/** Connections, mappings and runs for tests of the module. */
import type { AnyBody, Session } from '../../../test/support/app.js';
import { expectStatus, until } from '../../../test/support/app.js';

const ENDED = ['done', 'review', 'failed', 'cancelled'];

/** A service account with a role. */
export async function serviceAccount(admin: Session, role: string): Promise<string> {
  const name = `sync-${role}-${Math.random().toString(36).slice(2)}`;
  const body = { email: `${name}@example.org`, display_name: name, role, kind: 'service' };
  return expectStatus(await admin.api.post('/users', body), 201, 'a service account').body.id;
}

/** Starts a run and waits until it has ended or waits for decisions. */
export async function sync(admin: Session, mapping: string, body: object = {}): Promise<AnyBody> {
  const started = expectStatus(await admin.api.post(`/cmdbsync/mappings/${mapping}/runs`, body), 201, 'a run');
  return await ended(admin, String(started.body['id']));
}

/** Waits until a run has ended or waits for decisions. */
export async function ended(admin: Session, run: string): Promise<AnyBody> {
  return await until(async () => {
    const { body } = await admin.api.get(`/cmdbsync/runs/${run}`);
    return ENDED.includes(body.state) && body;
  }, 60_000);
}

/** All records of a run. */
export async function recordsOf(admin: Session, run: string, query: Record<string, string> = {}): Promise<AnyBody[]> {
  const items: AnyBody[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = expectStatus(
      await admin.api.get(`/cmdbsync/runs/${run}/records`, {
        query: { ...query, page_size: 200, ...(cursor !== undefined && { cursor }) },
      }),
      200,
      'records',
    );
    items.push(...body.items);
    if (body.next_cursor === null) return items;
    cursor = body.next_cursor;
  }
}
