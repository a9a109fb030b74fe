import type { FieldError, TObject } from '@lintel/sdk';
import { isDeepStrictEqual } from 'node:util';
import { fieldErrors, strictAjv } from '../http/ajv.js';
import { mergePatch } from '../merge-patch.js';

type Values = Record<string, unknown>;

/** The settings of one module: what was set is stored, defaults are filled in on reading. */
export class ModuleSettings {
  private readonly validate;
  private held: Values;

  constructor(readonly schema: TObject | undefined) {
    try {
      this.validate = strictAjv(true).compile({ type: 'object', properties: {}, ...schema, additionalProperties: false });
    } catch {
      // The manifest's check says so; such a module is never asked for its settings.
      this.validate = strictAjv(true).compile({});
    }
    this.held = this.complete({});
  }

  get current(): Values {
    return this.held;
  }

  /** Takes over what is stored. What an older version of the module allowed and this one does not, falls to its default. */
  take(stored: Values): void {
    this.held = this.complete(stored);
  }

  /**
   * Applies a merge patch to what is stored; `null` returns a setting to its default.
   * @returns what to store, the fields that change, and every fault
   */
  change(stored: Values, patch: Values): { stored: Values; changes: { field: string; old: unknown; new: unknown }[]; errors: FieldError[] } {
    const next = mergePatch(stored, patch) as Values;
    const candidate = structuredClone(next);
    const errors = this.validate(candidate) ? [] : fieldErrors(this.validate.errors ?? [], 'body').map((e) => ({ ...e, field: `/settings${e.field}` }));
    const before = this.complete(stored);
    const fields = [...new Set([...Object.keys(before), ...Object.keys(candidate)])];
    const changes = fields.filter((f) => !isDeepStrictEqual(before[f], candidate[f])).map((f) => ({ field: `settings.${f}`, old: before[f], new: candidate[f] }));
    return { stored: next, changes, errors };
  }

  private complete(stored: Values): Values {
    const values = structuredClone(stored);
    if (this.validate(values)) return values;
    for (const { field } of fieldErrors(this.validate.errors ?? [], 'body')) delete values[field.split('/')[1] ?? ''];
    this.validate(values);
    return values;
  }
}
