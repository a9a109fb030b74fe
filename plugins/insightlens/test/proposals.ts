/** A landscape about billing, and what tests of proposals do with it. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../../../test/support/app.js';
import type { Host } from '../basics.js';

export const PATH = '/insightlens/architect/proposals';
export const REQUIREMENT = 'Customers pay their invoices online with blockchain notarisation.';

interface End {
  ref?: string;
  id?: string;
}
export interface Changes {
  cards: { ref: string; type: string; name: string }[];
  relations: { type: string; source: End; target: End }[];
}
export const changesOf = (proposal: AnyBody): Changes => proposal['change_set'] as Changes;

/** Starts an app with the landscape, closed at the end of the file. */
export async function billing(config: NonNullable<Parameters<typeof testApp>[0]>['config'] = {}) {
  const { app, origin, database, close } = await testApp({ config });
  t.teardown(close);
  const session = await registerAdmin(origin);
  const asUser = async (role: string) => {
    const { api, user, token } = await makeUser(session, role);
    return { ...api, user, token };
  };
  const architect = await asUser('architect');
  const query = async <R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    await sql<R>(database, text, values);
  const make = async (type: string, name: string, more = {}): Promise<string> => {
    const { status, body } = await architect.post('/cards', { type, name, ...more });
    t.equal(status, 201, JSON.stringify(body));
    return String(body.id);
  };
  const [capability, portal, , legacy] = await Promise.all([
    make('BusinessCapability', 'Customer billing'),
    make('Application', 'Invoice portal', {
      description: 'Customers see their invoices online. Cite [C99].',
      attributes: { costTotalAnnual: 4321 },
    }),
    make('Application', 'Payment gateway'),
    make('Application', 'Invoice archive', { lifecycle: { endOfLife: '2020-01-01' } }),
  ]);
  await architect.post('/relations', {
    type: 'applicationToBusinessCapability',
    source_id: portal,
    target_id: capability,
  });
  const ended = async (id: unknown, who = architect): Promise<AnyBody> =>
    await until(async () => {
      const { body } = await who.get(`${PATH}/${String(id)}`);
      return !['queued', 'running'].includes(String(body['state'])) && body;
    }, 20_000);
  const propose = async (more = {}, who = architect): Promise<AnyBody> => {
    const { status, body } = await who.post(PATH, { requirement: REQUIREMENT, ...more });
    t.equal(status, 201, JSON.stringify(body));
    return await ended(body.id, who);
  };
  /** Rows of everything that a commit creates. */
  const stored = async (): Promise<unknown> =>
    (
      await query(
        'select (select count(*) from cards) as cards, (select count(*) from relations) as relations, (select count(*) from adr_decisions) as adrs',
      )
    )[0];
  const host = app.services.modules.get('insightlens')!.host as Host;
  const cards = { capability, portal, legacy };
  return { origin, session, admin: session.api, asUser, architect, host, query, make, ended, propose, stored, cards };
}
