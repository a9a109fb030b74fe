/** Decisions and risks to act upon, and data written by the service: waiting jobs, parked events. */
import { systemContext } from '../../core/foundation/context.js';
import { sql, type Session, type TestApp } from '../support/app.js';
import type { World } from './world.js';

interface Place {
  admin: Session;
  world: World;
}

/** Posts and takes in the answer. @throws where it is refused */
async function post({ admin, world }: Place, path: string, template: string, body: unknown): Promise<string> {
  const answer = await admin.api.post(path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  world.harvest(`/api/v1${template}`, `/api/v1${path}`, answer.body);
  return answer.body.id;
}

/** A decision, as far on its way as the steps say: a draft, in review or signed. */
export async function writeDecision(
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

/** A risk that concerns the card, with a mitigation that has an occurrence to be completed. */
export async function enterRisk(place: Place, title: string, card: string): Promise<void> {
  const { admin, world } = place;
  const risk = await post(place, '/risks', '/risks', {
    title,
    category: 'technology',
    initial_probability: 'high',
    initial_impact: 'high',
  });
  await post(place, `/risks/${risk}/cards`, '/risks/{id}/cards', { card_id: card, role: 'affected' });
  const done = `/risks/${risk}/mitigations`;
  const mitigation = await post(place, done, '/risks/{id}/mitigations', {
    title,
    due_date: '2026-03-31',
    recurrence: 'quarterly',
  });
  const occurrences = `${done}/${mitigation}/occurrences`;
  world.harvest(
    '/api/v1/risks/{id}/mitigations/{mitigation_id}/occurrences',
    `/api/v1${occurrences}`,
    (await admin.api.get(occurrences)).body,
  );
}

const WAITING_JOBS = 4;
const PARKED = 6;

/** What no call makes: jobs nobody takes up, and events a module has given up on. */
export async function layBehind({ app, database }: Pick<TestApp, 'app' | 'database'>): Promise<void> {
  for (let i = 0; i < WAITING_JOBS; i++) await app.services.jobs.submit(systemContext('drive'), 'drive.waits', {});
  await sql(
    database,
    `insert into parked_events (module, subscription, position, error, attempts)
    select 'risks', 'matrix', n, 'Nobody knows', 5 from generate_series(1, ${PARKED}) n`,
  );
}
