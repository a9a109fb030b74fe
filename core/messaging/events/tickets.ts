import { randomBytes } from 'node:crypto';
import type { RateLimiter, SessionCache } from '../../identity/auth/index.js';
import type { Identity } from '../../identity/identity.js';
import type { Database } from '../../foundation/db/database.js';
import { sha256 } from '../../foundation/digest.js';
import { problem } from '../../foundation/errors.js';
import { keepTicket, spendTicket, TICKET_SECONDS } from './ticket-repository.js';

const MAX_PER_MINUTE = 60;
const TICKET = /^[\w-]{43}$/;

/** A ticket has 256 random bits, so a plain hash of it cannot be reversed by search. */
const hashOf = sha256;

/**
 * Tickets for event streams in browsers, whose EventSource cannot send headers: each opens one stream, within half a
 * minute, on any node. They permit nothing else, so they may be part of a URL.
 */
export class StreamTickets {
  constructor(
    private readonly db: Database,
    private readonly sessions: SessionCache,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Issues a ticket for the caller's session or API token.
   * @returns the ticket, of which only a hash is stored, and its lifetime in seconds
   * @throws `rate_limited` where the user requests too many
   */
  async issue({ actor, expiresAt }: Identity): Promise<{ ticket: string; expires_in: number }> {
    const { allowed, reset } = await this.limiter.hit(`stream-ticket ${actor.id}`, MAX_PER_MINUTE);
    if (!allowed)
      throw problem('rate_limited', {
        detail: `A user may request at most ${MAX_PER_MINUTE} tickets per minute.`,
        headers: { 'retry-after': String(reset) },
      });
    const ticket = randomBytes(32).toString('base64url');
    await keepTicket(this.db, hashOf(ticket), actor.sessionId, expiresAt);
    return { ticket, expires_in: TICKET_SECONDS };
  }

  /**
   * Uses up a ticket.
   * @param ticket the unvalidated query parameter
   * @param ip address of the client, which an API token may restrict
   * @returns the user it was issued to, with current permissions, valid until the token it was requested with expires;
   *   undefined where the ticket is unknown, used or expired, or its session has ended
   */
  async redeem(ticket: unknown, ip: string): Promise<Identity | undefined> {
    if (typeof ticket !== 'string' || !TICKET.test(ticket)) return undefined;
    const spent = await spendTicket(this.db, hashOf(ticket));
    const identity = spent && (await this.sessions.get(spent.sessionId));
    if (!identity || spent.tokenExpiresAt <= Date.now() || identity.addresses?.includes(ip) === false) return undefined;
    return { ...identity, expiresAt: Math.min(identity.expiresAt, spent.tokenExpiresAt) };
  }
}
