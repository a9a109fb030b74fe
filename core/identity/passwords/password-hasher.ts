import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../../foundation/errors.js';
import { HashQueue } from './hash-queue.js';
import { passwordFault } from './password-policy.js';

/** Argon2id (the library's default variant) with 19 MiB and two passes, as OWASP's password storage sheet has it. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** What the thread pool is also for: compression, files, look-ups of names. */
const OTHER_THREADS = 2;
const WAITING = 64;
const SHARE = 16;
const WAIT_MS = 5_000;
/** Weight of the latest work in the mean. */
const LATEST = 0.2;

/** What an unknown account's password is held against: nobody's. One of the process, however many apps it holds. */
let decoy: Promise<string> | undefined;

/** Text that looks alike is typed differently on different keyboards. */
const canonical = (password: string): string => password.normalize('NFKC');

/**
 * Hashes and verifies passwords on the thread pool, never on the event loop, and so few at once that threads and a
 * processor are left for everything else.
 */
export class PasswordHasher {
  private readonly queue: HashQueue;
  private readonly atOnce: number;
  private meanMs = 50;

  /** @param threads of the pool (`UV_THREADPOOL_SIZE`) */
  constructor(threads = 4) {
    this.atOnce = Math.max(1, Math.min(availableParallelism() - 1, threads - OTHER_THREADS));
    this.queue = new HashQueue({ atOnce: this.atOnce, waiting: WAITING, share: SHARE, waitMs: WAIT_MS });
    decoy ??= hash(randomBytes(32), OPTIONS);
  }

  /**
   * @param caller who asks, a user or an address; each has a share of the work
   * @returns the hash with its parameters, in PHC string format
   * @throws 503 `unavailable` where too many wait
   */
  async hash(password: string, caller = ''): Promise<string> {
    return await this.timed(caller, () => hash(canonical(password), OPTIONS));
  }

  /**
   * Verifies a password. Without a hash it takes as long as with one, and fails.
   * @param hashed what `hash` gave
   * @param caller who asks, a user or an address; each has a share of the work
   * @throws 503 `unavailable` where too many wait
   */
  async verify(hashed: string | null | undefined, password: string, caller = ''): Promise<boolean> {
    const against = hashed ?? (await decoy!);
    const matches = await this.timed(caller, () => verify(against, canonical(password)));
    return matches && typeof hashed === 'string';
  }

  /** About how long a verification would take that is asked for now, its wait included, in ms. */
  get expectedMs(): number {
    return Math.min(WAIT_MS, this.meanMs * Math.ceil((this.queue.size + 1) / this.atOnce));
  }

  /**
   * What the policy has against a password somebody wants to set.
   * @param email the account's
   * @returns the reason, undefined when it will do
   */
  fault(password: string, email?: string): string | undefined {
    return passwordFault(password, email);
  }

  /**
   * Hashes a password that is about to be set.
   * @param field JSON pointer of the body's member it came in
   * @param email the account's, which must not be the password
   * @param caller who asks, a user or an address
   * @throws 422 when the policy refuses it, 503 `unavailable` where too many wait
   */
  async hashNew(password: string, field: string, email?: string, caller?: string): Promise<string> {
    this.check(password, field, email);
    return await this.hash(password, caller);
  }

  /** @throws 422 when the policy refuses a password that is about to be set */
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
