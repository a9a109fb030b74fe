import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../../foundation/errors.js';
import { HashQueue } from './hash-queue.js';
import { passwordFault } from './password-policy.js';

/** Argon2id (the library's default variant) with 19 MiB and two passes, as in OWASP's Password Storage Cheat Sheet. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Threads left for other users of the thread pool: compression, files, name look-ups. */
const OTHER_THREADS = 2;
const WAITING = 64;
const SHARE = 16;
const WAIT_MS = 5_000;
/** Weight of the latest task in the moving average. */
const LATEST = 0.2;

/** Hash that the password for an unknown account is compared with; computed once per process. */
let decoy: Promise<string> | undefined;

/** Keyboards may encode the same visible text differently. */
const canonical = (password: string): string => password.normalize('NFKC');

/**
 * Hashes and verifies passwords on the thread pool, never on the event loop, with a concurrency that leaves threads and
 * a processor for other work.
 */
export class PasswordHasher {
  private readonly queue: HashQueue;
  private readonly atOnce: number;
  private meanMs = 50;

  /** @param threads size of the thread pool (`UV_THREADPOOL_SIZE`) */
  constructor(threads = 4) {
    this.atOnce = Math.max(1, Math.min(availableParallelism() - 1, threads - OTHER_THREADS));
    this.queue = new HashQueue({ atOnce: this.atOnce, waiting: WAITING, share: SHARE, waitMs: WAIT_MS });
    decoy ??= hash(randomBytes(32), OPTIONS);
  }

  /**
   * @param caller a user or an address; each has a share of the queue
   * @returns the hash with its parameters, in PHC string format
   * @throws 503 `unavailable` where too many tasks wait
   */
  async hash(password: string, caller = ''): Promise<string> {
    return await this.timed(caller, () => hash(canonical(password), OPTIONS));
  }

  /**
   * Verifies a password. Without a hash it takes as long as with one, and fails.
   * @param hashed a result of `hash`
   * @param caller a user or an address; each has a share of the queue
   * @throws 503 `unavailable` where too many tasks wait
   */
  async verify(hashed: string | null | undefined, password: string, caller = ''): Promise<boolean> {
    const against = hashed ?? (await decoy!);
    const matches = await this.timed(caller, () => verify(against, canonical(password)));
    return matches && typeof hashed === 'string';
  }

  /** Estimated duration, in ms, of a verification that starts now, including its wait. */
  get expectedMs(): number {
    return Math.min(WAIT_MS, this.meanMs * Math.ceil((this.queue.size + 1) / this.atOnce));
  }

  /**
   * Checks a new password against the policy.
   * @param email e-mail address of the account
   * @returns the reason for rejecting it; undefined if it is acceptable
   */
  fault(password: string, email?: string): string | undefined {
    return passwordFault(password, email);
  }

  /**
   * Checks and hashes a new password.
   * @param field JSON pointer of the member in the body
   * @param email e-mail address of the account, which must not be the password
   * @param caller a user or an address
   * @throws 422 when the policy rejects it, 503 `unavailable` where too many tasks wait
   */
  async hashNew(password: string, field: string, email?: string, caller?: string): Promise<string> {
    this.check(password, field, email);
    return await this.hash(password, caller);
  }

  /** @throws 422 when the policy rejects a new password */
  check(password: string, field: string, email?: string): void {
    const reason = this.fault(password, email);
    if (reason !== undefined) throw invalid({ field, reason });
  }

  private async timed<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return await this.queue.run(caller, async () => {
      const began = performance.now();
      const result = await work();
      this.meanMs += LATEST * (performance.now() - began - this.meanMs);
      return result;
    });
  }
}
