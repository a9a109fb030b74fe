import type { Actor } from '@lintel/sdk';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../foundation/db/database.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import { asService } from '../../foundation/request-use.js';
import { AddressRanges } from '../../foundation/http/address-ranges.js';
import { TokenRights, type RbacService } from '../rbac/index.js';
import type { Identity, SignedInBy } from '../identity.js';
import { readSession, touchSession } from './session-repository.js';

interface Entry {
  actor: Actor;
  expiresAt: number;
  usedAt: number;
  /** Of a session. */
  signedInBy?: SignedInBy;
  /** Of an API token. */
  rights?: TokenRights;
  addresses?: AddressRanges;
}

const MAX_ENTRIES = 20_000;
/** Resolution of `last_used_at` of sessions, and of API tokens. */
const TOUCH_MS = 300_000;
const TOUCH_TOKEN_MS = 60_000;

/**
 * Cache of active sessions and API tokens, by id. Cleared whenever a session ends or a user changes on any node; if the node has not read the
 * revisions for a second, it reads them before it uses the cache.
 */
export class SessionCache {
  private entries = this.empty();

  constructor(
    private readonly db: Database,
    private readonly revisions: Revisions,
    private readonly rbac: RbacService,
  ) {
    // A new map, so that pending reads store their results in the old one.
    revisions.on('sessions', () => {
      this.entries = this.empty();
    });
  }

  /**
   * @param sessionId id of a session, or of an API token: `actor.token` of the result tells which
   * @returns the user of the session with current permissions; undefined when the session has ended or expired, or its
   *   user is deactivated
   * @throws when the database must be queried and is unavailable
   */
  async get(sessionId: string): Promise<Identity | undefined> {
    if (!this.revisions.trusted()) await this.revisions.refresh();
    const entry = await (this.entries.get(sessionId) ?? this.load(sessionId));
    const now = Date.now();
    if (!entry || entry.expiresAt <= now) return undefined;
    const { actor, expiresAt, rights, addresses, signedInBy } = entry;
    if (now - entry.usedAt > (rights ? TOUCH_TOKEN_MS : TOUCH_MS)) {
      entry.usedAt = now;
      // The value is only displayed, so an error does not fail the request, which does not wait for it either.
      touchSession(this.db, sessionId, rights !== undefined).catch(() => undefined);
    }
    const permissions = rights
      ? this.rbac.restrictedPermissionsOf(actor.role, rights)
      : this.rbac.permissionsOf(actor.role);
    return { actor, permissions, expiresAt, ...(signedInBy && { signedInBy }), ...(addresses && { addresses }) };
  }

  /** Removes one session from the cache of this node. */
  drop(sessionId: string): void {
    this.entries.delete(sessionId);
  }

  private empty(): LRUCache<string, Promise<Entry | undefined>> {
    return new LRUCache({ max: MAX_ENTRIES });
  }

  private load(sessionId: string): Promise<Entry | undefined> {
    const { entries } = this;
    // Concurrent requests share what is read.
    const loading = asService(() => this.read(sessionId));
    entries.set(sessionId, loading);
    loading.catch(() => {
      if (entries.peek(sessionId) === loading) entries.delete(sessionId);
    });
    return loading;
  }

  private async read(sessionId: string): Promise<Entry | undefined> {
    const row = await readSession(this.db, sessionId);
    if (!row) return undefined;
    const actor: Actor = {
      id: row.user_id,
      displayName: row.display_name,
      email: row.email,
      role: row.role,
      sessionId,
      ...(row.token && { token: { id: sessionId, name: row.token.name } }),
    };
    return {
      actor,
      expiresAt: row.expires_at.getTime(),
      usedAt: row.last_used_at?.getTime() ?? 0,
      ...(row.method && { signedInBy: { method: row.method, provider: row.provider } }),
      ...(row.token && { rights: new TokenRights(row.token.permissions) }),
      ...(row.token &&
        row.token.address_ranges.length > 0 && { addresses: new AddressRanges(row.token.address_ranges) }),
    };
  }
}
