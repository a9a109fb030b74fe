import { randomInt } from 'node:crypto';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { isSameSecret } from '../../foundation/digest.js';
import type { Log } from '../../foundation/log.js';
import type { Secrets } from '../../foundation/secrets/index.js';
import { anyUser } from './repository.js';

const SECRET = 'setup_code';
/** Without letters and digits that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP = 4;

const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');

/**
 * The code with which the first user registers from another machine: generated once for all nodes, logged by each node
 * while there is no user, and deleted when the first user registers.
 */
export class SetupCode {
  constructor(
    private readonly db: Database,
    private readonly secrets: Secrets,
    private readonly log: Log,
  ) {}

  /** Logs the code if there is no user. */
  async start(): Promise<void> {
    if (await anyUser(this.db)) return;
    const code = (await this.secrets.getOrCreate(SECRET, () => Buffer.from(newCode()))).toString();
    this.log.warn(
      { setup_code: code },
      `no user is registered yet: the first user becomes the administrator, and registers from this machine or with the setup_code ${code}`,
    );
  }

  /** Whether a code equals the one in the log; the comparison takes constant time. */
  async matches(given: string | undefined): Promise<boolean> {
    const code = given === undefined ? undefined : await this.secrets.get(SECRET);
    return code !== undefined && isSameSecret(code.toString(), given!.trim().toLowerCase());
  }

  /** Deletes the code within the registration of the first user. */
  async spend(uow: UnitOfWork): Promise<void> {
    await this.secrets.remove(SECRET, uow);
  }
}
