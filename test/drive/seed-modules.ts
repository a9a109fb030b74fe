/** Initial decisions and risks, and data that no request creates: waiting jobs and parked events. */
import { systemContext } from '../../core/foundation/context.js';
import { sql, type Session, type TestApp } from '../support/app.js';
import type { World } from './world.js';

interface Place {
  admin: Session;
  world: World;
}

/** Posts and collects the ids of the answer. @returns the id @throws unless it succeeds */
async function post({ admin, world }: Place, path: string, template: string, body: unknown): Promise<string> {
  const answer = await admin.api.post(path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  world.collectIds(`/api/v1${template}`, `/api/v1${path}`, answer.body);
  return answer.body.id;
}

/** Creates a decision and takes the steps: without steps it is a draft, then in review, then signed. */
export async function createDecision(
  place: Place,
  title: string,
  steps: readonly ('request' | 'sign')[],
): Promise<void> {
  const id = await post(place, '/adr', '/adr', { title, context: 'Why', decision: 'What' });
  for (const step of steps) {
    if (step === 'request')
      await post(place, `/adr/${id}/request-signatures`, '/adr/{id}/request-signatures', {
        user_ids: [place.admin.user.id],
      });
    else await post(place, `/adr/${id}/sign`, '/adr/{id}/sign', {});
  }
}

/** Creates a risk of the card, with a mitigation that has an occurrence to be completed. */
export async function createRisk(place: Place, title: string, card: string): Promise<void> {
  const { admin, world } = place;
  const risk = await post(place, '/risks', '/risks', {
    title,
    category: 'technology',
    initial_probability: 'high',
    initial_impact: 'high',
  });
  await post(place, `/risks/${risk}/cards`, '/risks/{id}/cards', { card_id: card, role: 'affected' });
  const mitigations = `/risks/${risk}/mitigations`;
  const mitigation = await post(place, mitigations, '/risks/{id}/mitigations', {
    title,
    due_date: '2026-03-31',
    recurrence: 'quarterly',
  });
  const occurrences = `${mitigations}/${mitigation}/occurrences`;
  world.collectIds(
    '/api/v1/risks/{id}/mitigations/{mitigation_id}/occurrences',
    `/api/v1${occurrences}`,
    (await admin.api.get(occurrences)).body,
  );
}

const WAITING_JOBS = 4;
const PARKED = 6;

/** Inserts data that no call creates: jobs without a handler, and parked events of a module. */
export async function insertServiceData({ app, database }: Pick<TestApp, 'app' | 'database'>): Promise<void> {
  for (let i = 0; i < WAITING_JOBS; i++) await app.services.jobs.submit(systemContext('drive'), 'drive.waits', {});
  await sql(
    database,
    `insert into parked_events (module, subscription, position, error, attempts)
    select 'risks', 'matrix', n, 'failed', 5 from generate_series(1, ${PARKED}) n`,
  );
}
