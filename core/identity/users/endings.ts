import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { endSessionsOf, endTokensOf } from './repository.js';

/** Ends all sessions of a user, within a larger unit of work that bumps the sessions. @param reason in the events */
export async function endSessions(uow: UnitOfWork, userId: string, reason: string): Promise<void> {
  for (const id of await endSessionsOf(uow, userId))
    uow.emit({ type: 'session.ended', subject: { kind: 'session', id }, data: { user_id: userId, reason } });
}

/** Ends all API tokens of a user, likewise. */
export async function endTokens(uow: UnitOfWork, userId: string, reason: string): Promise<void> {
  for (const { id, name } of await endTokensOf(uow, userId))
    uow.emit({
      type: 'api_token.ended',
      subject: { kind: 'api_token', id, name },
      data: { user_id: userId, reason },
    });
}
