import type { EventInput, RequestContext, Statement, UnitOfWork as ModuleUnitOfWork } from '@lintel/sdk';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { hashed } from '../install/statements.js';

/** Looks at an event a module emits. @throws when it is not the module's to emit */
export type EventCheck = (event: EventInput) => void;

/** A unit of work as a module has it: the SDK's part of the core's, with its events looked at. */
export class ModuleUnit implements ModuleUnitOfWork {
  readonly ctx: RequestContext;
  readonly #uow: UnitOfWork;
  readonly #check: EventCheck;
  #fault: Error | undefined;

  constructor(uow: UnitOfWork, check: EventCheck) {
    this.ctx = uow.ctx;
    this.#uow = uow;
    this.#check = check;
  }

  /**
   * The core's unit behind the one a module was given.
   * @throws when it is none the host has given out
   */
  static core(unit: ModuleUnitOfWork): UnitOfWork {
    if (!(unit instanceof ModuleUnit)) throw new Error('this is no unit of work that transactions.run gave');
    return unit.#uow;
  }

  query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]> {
    return this.#uow.query<R>(hashed(statement), values);
  }

  knex(): ReturnType<ModuleUnitOfWork['knex']> {
    return this.#uow.knex();
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

  /** @throws when an event was refused, whatever the module made of it: its change would go untold */
  verify(): void {
    if (this.#fault) throw this.#fault;
  }
}
