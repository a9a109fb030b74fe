import type { Database } from '../../foundation/db/database.js';
import { problem } from '../../foundation/errors.js';
import type { EventBudget } from '../../foundation/db/event-budget.js';
import { chargeBudget, spendBudget } from './write-limits-repository.js';

const WINDOW_S = 60;
/** A write includes this number of bytes of events; each further begun one counts as one more write. */
const EVENT_BYTES = 16_384;

/** Limits the writes per user across all nodes with a token bucket, if a workspace setting enables it. */
export class WriteLimits {
  constructor(
    private readonly db: Database,
    private readonly settings: { readonly current: { write_limits: { per_minute: number | null } } },
  ) {}

  /**
   * Counts the writes of a user.
   * @param cost number of operations of the call
   * @returns headers with the remaining number; undefined where there is no limit
   * @throws rate_limited where the limit is exceeded; the writes are not counted then
   */
  async spend(userId: string, cost: number): Promise<Record<string, string> | undefined> {
    const { per_minute: limit } = this.settings.current.write_limits;
    if (limit === null) return undefined;
    const policy = `"writes";q=${limit};w=${WINDOW_S}`;
    if (cost > limit) {
      throw problem('rate_limited', {
        detail: `In this workspace a call may have at most ${limit} operations.`,
        headers: { 'ratelimit-policy': policy, 'retry-after': String(WINDOW_S) },
      });
    }
    const { allowed, available } = await spendBudget(this.db, userId, limit, cost);
    const seconds = (missing: number): number => Math.max(1, Math.ceil((missing / limit) * WINDOW_S));
    const headers = {
      'ratelimit-policy': policy,
      ratelimit: `"writes";r=${Math.max(0, Math.floor(available))};t=${seconds(allowed ? 1 - available : cost - available)}`,
    };
    if (allowed) return headers;
    throw problem('rate_limited', {
      detail: `In this workspace a user may write ${limit} times per minute.`,
      headers: { ...headers, 'retry-after': String(seconds(cost - available)) },
    });
  }

  /**
   * Counts the bytes of the events that a call writes, after each of its commits, as further writes of the user where they
   * are more than its operations include.
   * @param cost number of operations of the call, as spent
   */
  budgetOf(userId: string, cost: number): EventBudget {
    let bytes = 0;
    let paid = cost;
    return {
      wrote: async (more) => {
        bytes += more;
        const { per_minute: limit } = this.settings.current.write_limits;
        const due = Math.ceil(bytes / EVENT_BYTES) - paid;
        if (limit === null || due <= 0) return;
        paid += due;
        await chargeBudget(this.db, userId, limit, due);
      },
    };
  }
}
