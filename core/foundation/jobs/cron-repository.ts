import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

const TAKE_SLOT = {
  name: 'cron-take-slot',
  text: 'insert into cron_slots (job, slot) values ($1, $2) on conflict do nothing returning 1',
};
const KNOW = {
  name: 'cron-know',
  text: 'insert into cron_slots (job, slot, ran) select $1, $2, false where not exists (select from cron_slots where job = $1) on conflict do nothing',
};
const IS_MISSED = {
  name: 'cron-is-missed',
  text: `select exists (select from cron_slots where job = $1 and slot < $2) and not exists (select from cron_slots where job = $1 and slot = $2) as missed`,
};

/** @returns whether this call claimed the slot */
export async function takeSlot(uow: UnitOfWork, job: string, slot: Date): Promise<boolean> {
  return (await uow.query(TAKE_SLOT, [job, slot])).length > 0;
}

/** Records the first slot at which a job is known, without running it; does nothing if the job already has a slot. */
export async function noteKnown(db: Database, job: string, slot: Date): Promise<void> {
  await db.query(KNOW, [job, slot]);
}

/** Whether no node claimed the slot although the job was known before it. */
export async function isMissed(db: Database, job: string, slot: Date): Promise<boolean> {
  return (await db.query<{ missed: boolean }>(IS_MISSED, [job, slot]))[0]!.missed;
}
