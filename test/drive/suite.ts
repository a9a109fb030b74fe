/** The drive as a test on a new workspace, with one assertion per fault. */
import type { Test } from 'tap';
import { client, testApp } from '../support/app.js';
import type { RawDocument } from './document.js';
import { drive } from './drive.js';
import { insertServiceData } from './seed-modules.js';

/** The seed of the requests; DRIVE_SEED overrides it, for example to repeat the requests of a report. */
const SEED = 20_260_117;
/** Least share of operations that must succeed at least once, so that responses other than errors are checked. */
const REACHED = 0.8;

/** @param calls number of calls; DRIVE_CALLS overrides it, DRIVE_ONLY selects operations by a part of their ids */
export async function driveSuite(t: Test, calls: number): Promise<void> {
  const service = await testApp({ config: { publicUrl: 'https://lintel.example.org' } });
  const { origin, close } = service;
  t.teardown(close);
  await insertServiceData(service);
  const { DRIVE_SEED, DRIVE_CALLS, DRIVE_ONLY } = process.env;
  const seed = Number(DRIVE_SEED || SEED);
  const guest = client(origin);
  const document = (await guest.get<RawDocument>('/api/openapi.json')).body;
  const prototype = Object.getOwnPropertyNames(Object.prototype).sort();
  const began = performance.now();
  const outcome = await drive({ origin, document, seed, calls: Number(DRIVE_CALLS || calls), only: DRIVE_ONLY });

  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  t.comment(
    `DRIVE_SEED=${seed}: ${outcome.calls} calls of ${outcome.operations} operations in ${seconds} s; ${Object.entries(
      outcome.statuses,
    )
      .map(([status, n]) => `${status}: ${n}`)
      .join(', ')}`,
  );
  const never = Object.keys(outcome.answers).filter(
    (id) => !Object.keys(outcome.answers[id]!).some((status) => status.startsWith('2')),
  );
  for (const id of DRIVE_ONLY ? Object.keys(outcome.answers) : never)
    t.comment(`${never.includes(id) ? 'never succeeded: ' : ''}${id} ${JSON.stringify(outcome.answers[id])}`);
  for (const { operation, what, request, answer, times } of outcome.faults) {
    t.fail(`${operation} ${what.join('; ')} (${times} times, DRIVE_SEED=${seed})`, { request, answer });
  }
  t.equal(outcome.faults.length, 0, 'every answer has the guarantees of the API');
  t.ok(
    outcome.statuses['422']! > calls / 20 && outcome.statuses['401']! > calls / 50,
    'hostile calls and calls without a token were among them',
  );
  if (!DRIVE_ONLY)
    t.ok(
      never.length <= outcome.operations * (1 - REACHED),
      `${outcome.operations - never.length} of ${outcome.operations} operations succeeded`,
    );
  t.same(Object.getOwnPropertyNames(Object.prototype).sort(), prototype, 'no object has got a new member');
  t.equal((await guest.get('/api/ready')).status, 200, 'the service is ready');
}
