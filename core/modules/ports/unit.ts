import type { EventInput, RequestContext, Statement, UnitOfWork as ModuleUnitOfWork } from '@lintel/sdk';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { StatementRole } from '../../foundation/db/statement-role.js';
import { hashed } from '../install/statements.js';

/** Checks an event emitted by a module. @throws when the module may not emit it */
export type EventCheck = (event: EventInput) => void;

/** What the units of work of several modules in one transaction have in common. */
interface Shared {
  /** The first event that was rejected. */
  fault: Error | undefined;
  /** For each module that joined: throws if it was switched off. */
  readonly running: (() => void)[];
  /** The transaction ends. */
  isOver: boolean;
}

/** A unit of work for a module: the SDK's subset of the core's, which checks emitted events. */
export class ModuleUnit implements ModuleUnitOfWork {
  readonly ctx: RequestContext;
  readonly #uow: UnitOfWork;
  readonly #check: EventCheck;
  readonly #shared: Shared;
  readonly #role: StatementRole | undefined;
  #knex: ReturnType<ModuleUnitOfWork['knex']> | undefined;

  /** @param role as which its statements run; undefined: as the user of the service */
  constructor(
    uow: UnitOfWork,
    check: EventCheck,
    role: StatementRole | undefined,
    shared: Shared = { fault: undefined, running: [], isOver: false },
  ) {
    this.ctx = uow.ctx;
    this.#uow = uow;
    this.#check = check;
    this.#role = role;
    this.#shared = shared;
  }

  /**
   * The core's unit of work behind a module's.
   * @throws when it was not created by the host
   */
  static core(unit: ModuleUnitOfWork): UnitOfWork {
    const own = ModuleUnit.of(unit);
    own.#demandOpen();
    return own.#uow;
  }

  /**
   * The unit of work of another module in the same transaction, whose events are checked against the manifest of that
   * module; the same one if it is of the module already.
   * @param role of the module that joins
   * @param running throws if the module was switched off; also called before the transaction commits
   */
  static join(
    unit: ModuleUnitOfWork,
    check: EventCheck,
    role: StatementRole | undefined,
    running: () => void,
  ): ModuleUnit {
    const own = ModuleUnit.of(unit);
    if (own.#check === check) return own;
    own.#shared.running.push(running);
    return new ModuleUnit(own.#uow, check, role, own.#shared);
  }

  private static of(unit: ModuleUnitOfWork): ModuleUnit {
    if (!(unit instanceof ModuleUnit)) throw new Error('this is no unit of work that transactions.run gave');
    return unit;
  }

  async query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]> {
    this.#demandOpen();
    return await this.#uow.query<R>(hashed(statement), values, this.#role);
  }

  async knex(): ReturnType<ModuleUnitOfWork['knex']> {
    this.#demandOpen();
    return await (this.#knex ??= this.#uow.knex(this.#role));
  }

  emit(event: EventInput): void {
    this.#demandOpen();
    try {
      this.#check(event);
    } catch (error) {
      this.#shared.fault ??= error as Error;
      throw error;
    }
    this.#uow.emit(event);
  }

  nextVersion(row: { id: string; version: number }): number {
    return this.#uow.nextVersion(row);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.#demandOpen();
    return await this.#uow.savepoint(work);
  }

  /** The transaction ends: later statements are refused, because the connection may be in use by another one. */
  end(): void {
    this.#shared.isOver = true;
  }

  #demandOpen(): void {
    if (this.#shared.isOver) throw new Error('the transaction has ended');
  }

  /**
   * @throws when an event was rejected, even if the module caught the error: the change would be committed without its
   *   event; and when a module that joined was switched off
   */
  verify(): void {
    if (this.#shared.fault) throw this.#shared.fault;
    for (const check of this.#shared.running) check();
  }
}
