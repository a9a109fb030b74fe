import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { endSessionsOf, endTokensOf } from './repository.js';

/** Ends all sessions of users, within a larger unit of work that bumps the sessions. @param reason in the events */
export async function endSessions(uow: UnitOfWork, userIds: readonly string[], reason: string): Promise<void> {
  for (const { id, user_id } of await endSessionsOf(uow, userIds))
    uow.emit({ type: 'session.ended', subject: { kind: 'session', id }, data: { user_id, reason } });
}

/** Ends all API tokens of users, likewise. */
export async function endTokens(uow: UnitOfWork, userIds: readonly string[], reason: string): Promise<void> {
  for (const { id, name, user_id } of await endTokensOf(uow, userIds))
    uow.emit({ type: 'api_token.ended', subject: { kind: 'api_token', id, name }, data: { user_id, reason } });
}
