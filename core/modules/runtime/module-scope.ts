import { AsyncLocalStorage } from 'node:async_hooks';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { InstalledModule } from '../installed.js';

/** What code of a module is running for. */
export interface ModuleScope {
  module: InstalledModule;
  /** Ends the request or the job that the code is running for. */
  fail?: (error: unknown) => void;
  /** Of a job: aborted when it must not write any more. */
  signal?: AbortSignal;
  /** Of a job: @throws when this node does not hold it any more */
  guard?: (uow: UnitOfWork) => Promise<void>;
}

/** Used for modules that are not part of Lintel only: on Node.js 20, following the context of promises costs time. */
const scopes = new AsyncLocalStorage<ModuleScope | undefined>();

/** Of rules that modules add to writes: whether the rule still runs. */
const rules = new AsyncLocalStorage<{ isOver: boolean }>();

/**
 * Runs a rule. Until it ends, it cannot use the host: it would write within another write, or wait for a second connection
 * while the transaction holds one.
 */
export async function inRule<T>(work: () => Promise<T>): Promise<T> {
  const running = { isOver: false };
  try {
    return await rules.run(running, work);
  } finally {
    running.isOver = true;
  }
}

/** Runs code of a module, so that errors of what it starts and does not wait for are traced to it. */
export function inModule<T>(scope: ModuleScope, work: () => T): T {
  return scope.module.candidate.foreign ? scopes.run(scope, work) : outside(work);
}

/** Runs work of the platform, or of a module that is part of it: what that starts does not run for the module that called it. */
export function outside<T>(work: () => T): T {
  if (scopes.getStore() === undefined) return work();
  const result: unknown = scopes.run(undefined, work);
  // Created in the scope of the caller, so that a rejection that it does not handle is traced to it.
  return (result instanceof Promise ? result.then((value: unknown) => value) : result) as T;
}

/** The module whose code is running, if it is not part of Lintel. */
export const runningModule = (): InstalledModule | undefined => scopes.getStore()?.module;

/**
 * Checks that code of a module may still use the platform: a job that ignores its signal, or a timer that the module did not
 * stop, must not write after the module was switched off.
 * @returns what the code runs for
 * @throws the reason of the job's signal, or an Error
 */
export function demandRunning(module: InstalledModule): ModuleScope | undefined {
  const running = scopes.getStore();
  const scope = running?.module === module ? running : undefined;
  scope?.signal?.throwIfAborted();
  if (module.isEnded) throw new Error(`${module.id} is switched off`);
  if (rules.getStore()?.isOver === false)
    throw new Error(`${module.id} uses the host within a rule of cards, which can only read, with batch.query`);
  return scope;
}

/** A port whose functions check that first. */
export function whileRunning<P extends object>(module: InstalledModule, port: P): P {
  return new Proxy(port, {
    get(target, key): unknown {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        demandRunning(module);
        return outside((): unknown => Reflect.apply(member, target, args));
      };
    },
  });
}

/**
 * Finds the module that an uncaught error comes from: by the asynchronous context, or by the files in its stack.
 * @param modules all modules
 * @returns undefined where it is none of them
 */
export function traced(error: unknown, modules: readonly InstalledModule[]): ModuleScope | undefined {
  const scope = scopes.getStore();
  if (scope) return scope;
  const module = modules.find(({ candidate: { folder } }) => isFrom(error, folder));
  return module && { module };
}

/** Whether a file of a folder is in the stack of an error. */
export function isFrom(error: unknown, folder: string): boolean {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return folder !== '' && (stack.includes(`${pathToFileURL(folder).href}/`) || stack.includes(`${folder}${sep}`));
}
