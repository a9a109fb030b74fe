import type { Database } from '../db/database.js';
import { countHit } from './limits-repository.js';

/** How often a key was counted in the window that is under way. */
export interface Count {
  hits: number;
  /** Whole seconds until the next window, at least 1. */
  reset: number;
}

/** Counts for rate limits in windows of `WINDOW_SECONDS`. Stores of several nodes that lead to the same place count together. */
export interface LimitStore {
  /** Whether it counts itself at the moment, and not another one in its stead. */
  readonly isUp: boolean;
  start(): Promise<void>;
  /** Counts one request, with those that come at the same time one after the other. */
  hit(key: string): Promise<Count>;
  close(): void;
}

/** Counts in the database, which all nodes have. */
export class DatabaseLimitStore implements LimitStore {
  readonly isUp = true;

  constructor(private readonly db: Database) {}

  async start(): Promise<void> { /* The table is there. */ }

  async hit(key: string): Promise<Count> {
    return await countHit(this.db, key);
  }

  close(): void { /* The connections are the service's. */ }
}
