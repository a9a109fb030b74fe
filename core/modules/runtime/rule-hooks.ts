import type { HostServices } from '../services.js';
import type { RuleHooks } from '../../inventory/rules.js';
import { hashed } from '../install/statements.js';
import type { InstalledModule } from '../installed.js';
import { lockName } from '../repository.js';
import { inModule, inRule } from './module-scope.js';

/** Longest wait for a lock of a rule in milliseconds, below the timeout of the rule. */
const LOCK_MS = 1_000;

/** How the rules of a module are called: its code runs in its scope, and its errors count as errors that it did not catch. */
export function ruleHooks(module: InstalledModule, core: HostServices): RuleHooks {
  return {
    // Not `isOn`: while a version replaces another, the rules of one of them must apply.
    isOn: () => module.stored?.enabled === true && module.fault === undefined,
    run: (work) => inRule(() => inModule({ module }, work)),
    statement: ({ name, text }) => (name === undefined ? { name, text } : hashed({ name, text })),
    role: () => module.activeRole,
    lock: (on, name) => lockName(on, module.id, name, LOCK_MS),
    failed: (error) => core.modules.failed(module, error),
  };
}
