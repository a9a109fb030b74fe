/** Connections, mappings and runs for tests of the module. */
import type { Session } from '../../../../test/support/app.js';
import { expectStatus, until } from '../../../../test/support/app.js';

const ENDED = ['done', 'review', 'failed', 'cancelled'];

/** A run as the API shows it. */
export interface Run {
  id: string;
  state: string;
  mapping: string;
  counts: Record<string, number>;
  error: { code: string; detail: string } | null;
}
/** A record of a run as the API shows it. */
export interface RunRecord {
  id: string;
  external_id: string | null;
  card_id: string | null;
  action: string;
  state: string;
}

/** A service account with a role. */
export async function serviceAccount(admin: Session, role: string): Promise<string> {
  const name = `sync-${role}-${Math.random().toString(36).slice(2)}`;
  const body = { email: `${name}@example.org`, display_name: name, role, kind: 'service' };
  return expectStatus(await admin.api.post('/users', body), 201, 'a service account').body.id;
}

/** Starts a run and waits until it has ended or waits for decisions. */
export async function sync(admin: Session, mapping: string, body: object = {}): Promise<Run> {
  const started = expectStatus(await admin.api.post<Run>(`/cmdbsync/mappings/${mapping}/runs`, body), 201, 'a run');
  return await ended(admin, started.body.id);
}

/** Waits until a run has ended or waits for decisions. @param ms milliseconds at most */
export async function ended(admin: Session, run: string, ms = 60_000): Promise<Run> {
  return await until(async () => {
    const { body } = await admin.api.get<Run>(`/cmdbsync/runs/${run}`);
    return ENDED.includes(body.state) && body;
  }, ms);
}

/** All records of a run. */
export async function recordsOf(admin: Session, run: string, query: Record<string, string> = {}): Promise<RunRecord[]> {
  const items: RunRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = expectStatus(
      await admin.api.get<{ items: RunRecord[]; next_cursor: string | null }>(`/cmdbsync/runs/${run}/records`, {
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
