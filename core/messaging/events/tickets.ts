import { createHash, randomBytes } from 'node:crypto';
import type { RateLimiter, SessionCache } from '../../identity/auth/index.js';
import type { Identity } from '../../identity/identity.js';
import type { Database } from '../../foundation/db/database.js';
import { problem } from '../../foundation/errors.js';
import { keepTicket, spendTicket, TICKET_SECONDS } from './ticket-repository.js';

const MAX_PER_MINUTE = 60;
const TICKET = /^[\w-]{43}$/;

/** A ticket is 256 random bits: a plain hash of it cannot be searched. */
const hashOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();

/**
 * Tickets for event streams, for browsers, whose EventSource sends no headers: each opens one stream, within half a
 * minute, on whatever node. They are good for nothing else, so it does no harm that they stand in a URL.
 */
export class StreamTickets {
  constructor(
    private readonly db: Database,
    private readonly sessions: SessionCache,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * A ticket for the session of the caller.
   * @returns the ticket, which is stored nowhere, and the seconds it may be used
   * @throws `rate_limited` where the user asks for too many
   */
  async issue({ actor, expiresAt }: Identity): Promise<{ ticket: string; expires_in: number }> {
    const { allowed, reset } = await this.limiter.hit(`stream-ticket ${actor.id}`, MAX_PER_MINUTE);
    if (!allowed)
      throw problem('rate_limited', {
        detail: `A user gets at most ${MAX_PER_MINUTE} tickets a minute.`,
        headers: { 'retry-after': String(reset) },
      });
    const ticket = randomBytes(32).toString('base64url');
    await keepTicket(this.db, hashOf(ticket), actor.sessionId, expiresAt);
    return { ticket, expires_in: TICKET_SECONDS };
  }

  /**
   * Spends a ticket.
   * @param ticket as it was sent, whatever that is
   * @returns who it was given to, with the rights of now, until the token he asked with expires; undefined where it is
   *   unknown, spent or expired, or its session has ended
   */
  async redeem(ticket: unknown): Promise<Identity | undefined> {
    if (typeof ticket !== 'string' || !TICKET.test(ticket)) return undefined;
    const spent = await spendTicket(this.db, hashOf(ticket));
    const identity = spent && (await this.sessions.get(spent.sessionId));
    if (!identity || spent.tokenExpiresAt <= Date.now()) return undefined;
    return { ...identity, expiresAt: Math.min(identity.expiresAt, spent.tokenExpiresAt) };
  }
}
