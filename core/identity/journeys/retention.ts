import type { Database } from '../../foundation/db/database.js';
import { cleanMailLimits } from '../mails/index.js';
import { cleanEmailChanges } from './email-change-repository.js';
import { cleanInvitations } from './invitation-repository.js';
import { cleanResets } from './reset-repository.js';
import { cleanMailTokens } from './token-repository.js';

/** Deletes what has ended of the journeys by mail. */
export async function cleanJourneys(db: Database): Promise<void> {
  await cleanMailTokens(db);
  await cleanResets(db);
  await cleanMailLimits(db);
  await cleanInvitations(db);
  await cleanEmailChanges(db);
}
