import type { EventInput, RequestContext, Statement, UnitOfWork as ModuleUnitOfWork } from '@lintel/sdk';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { hashed } from '../install/statements.js';

/** Checks an event emitted by a module. @throws when the module may not emit it */
export type EventCheck = (event: EventInput) => void;

/** A unit of work for a module: the SDK's subset of the core's, which checks emitted events. */
export class ModuleUnit implements ModuleUnitOfWork {
  readonly ctx: RequestContext;
  readonly #uow: UnitOfWork;
  readonly #check: EventCheck;
  #fault: Error | undefined;
  #isOver = false;

  constructor(uow: UnitOfWork, check: EventCheck) {
    this.ctx = uow.ctx;
    this.#uow = uow;
    this.#check = check;
  }

  /**
   * The core's unit of work behind a module's.
   * @throws when it was not created by the host
   */
  static core(unit: ModuleUnitOfWork): UnitOfWork {
    if (!(unit instanceof ModuleUnit)) throw new Error('this is no unit of work that transactions.run gave');
    return unit.#uow;
  }

  async query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]> {
    this.#demandOpen();
    return await this.#uow.query<R>(hashed(statement), values);
  }

  async knex(): ReturnType<ModuleUnitOfWork['knex']> {
    this.#demandOpen();
    return await this.#uow.knex();
  }

  emit(event: EventInput): void {
    try {
      this.#check(event);
    } catch (error) {
      this.#fault ??= error as Error;
      throw error;
    }
    this.#uow.emit(event);
  }

  savepoint<T>(work: () => Promise<T>): Promise<T> {
    return this.#uow.savepoint(work);
  }

  /** The transaction ends: later statements are refused, because the connection may be in use by another one. */
  end(): void {
    this.#isOver = true;
  }

  #demandOpen(): void {
    if (this.#isOver) throw new Error('the transaction has ended');
  }

  /**
   * @throws when an event was rejected, even if the module caught the error: the change would be committed without its
   *   event
   */
  verify(): void {
    if (this.#fault) throw this.#fault;
  }
}
