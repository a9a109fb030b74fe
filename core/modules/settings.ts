import type { FieldError, TObject } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { isDeepStrictEqual } from 'node:util';
import { fieldErrors, strictAjv } from '../foundation/http/ajv.js';
import { mergePatch } from '../foundation/merge-patch.js';
import { boundTo, isSecret, settingsCheck } from './install/settings-schema.js';

type Values = Record<string, unknown>;

interface SecretSetting {
  /** Under which it is stored. */
  name: string;
  validate: ValidateFunction;
  /** The setting that determines to whom it is sent. */
  boundTo: string | undefined;
}

/** The result of applying a patch to the stored settings. */
export interface SettingsChange {
  /** Without secrets. */
  stored: Values;
  /** Secrets to store, and those to delete (value null). */
  secrets: { name: string; value: string | null }[];
  /** For secrets only whether they are set. */
  changes: { field: string; old: unknown; new: unknown }[];
  errors: FieldError[];
}

/**
 * The settings of one module: only values that were set are stored, and defaults are filled in on reading. Those whose
 * schema says `secret` are stored separately, encrypted, and visible only to the module.
 */
export class ModuleSettings {
  private readonly validate: ValidateFunction;
  private readonly secrets: ReadonlyMap<string, SecretSetting>;
  private held: Values;
  private values: Readonly<Record<string, string>> = {};

  /** @param id the module's id, part of the names of its secrets */
  constructor(
    readonly schema: TObject | undefined,
    id: string,
  ) {
    const all = Object.entries(schema?.properties ?? {});
    let validate: ValidateFunction;
    let secrets: [string, SecretSetting][] = [];
    try {
      validate = settingsCheck(schema);
      // Names of the module's own secrets cannot contain a slash, so there is no conflict.
      secrets = all
        .filter(([, property]) => isSecret(property))
        .map(([field, property]) => [
          field,
          {
            name: `module.${id}.settings/${field}`,
            validate: strictAjv(true).compile(property),
            boundTo: boundTo(property),
          },
        ]);
    } catch {
      // The manifest check reports the invalid schema; the settings of such a module are never read.
      validate = strictAjv(true).compile({});
    }
    this.validate = validate;
    this.secrets = new Map(secrets);
    this.held = this.complete({});
  }

  /** The effective settings including secrets, for the module itself. */
  get current(): Values {
    const secrets = [...this.secrets.keys()].map((field) => [field, this.values[field] ?? '']);
    return { ...this.held, ...(Object.fromEntries(secrets) as Values) };
  }

  /** The effective settings for users who manage modules. */
  get shown(): Values {
    const secrets = [...this.secrets.keys()].map((field) => [field, { is_set: this.values[field] !== undefined }]);
    return { ...this.held, ...(Object.fromEntries(secrets) as Values) };
  }

  /** Names under which its secrets are stored. */
  get secretNames(): string[] {
    return [...this.secrets.values()].map(({ name }) => name);
  }

  /**
   * Loads the stored values. Values that this version of the module does not allow are replaced by their defaults.
   * @param secrets values by storage name
   */
  take(stored: Values, secrets: ReadonlyMap<string, Buffer>): void {
    this.held = this.complete(this.known(stored));
    this.values = Object.fromEntries(
      [...this.secrets].flatMap(([field, { name, validate }]) => {
        const value = secrets.get(name)?.toString('utf8');
        return value !== undefined && validate(value) ? [[field, value]] : [];
      }),
    );
  }

  /**
   * Applies a merge patch to the stored values; `null` restores the default of a setting, and deletes a secret.
   * @param present names of the existing secrets
   */
  change(before: Values, patch: Values, present: ReadonlySet<string>): SettingsChange {
    const plain = Object.entries(patch).filter(([field]) => !this.secrets.has(field));
    const stored = mergePatch(this.known(before), Object.fromEntries(plain)) as Values;
    const candidate = structuredClone(stored);
    const errors = this.validate(candidate)
      ? []
      : fieldErrors(this.validate.errors ?? [], 'body').map((e) => ({ ...e, field: `/settings${e.field}` }));
    const old = this.complete(this.known(before));
    const fields = [...new Set([...Object.keys(old), ...Object.keys(candidate)])];
    const changes = fields
      .filter((f) => !isDeepStrictEqual(old[f], candidate[f]))
      .map((f) => ({ field: `settings.${f}`, old: old[f], new: candidate[f] }));
    const secrets: SettingsChange['secrets'] = [];
    for (const [field, { name, validate, boundTo: other }] of this.secrets) {
      const given = patch[field];
      if (given === undefined) {
        // A caller who cannot read the secret must not be able to have it sent to a destination of their choice.
        if (other !== undefined && present.has(name) && !isDeepStrictEqual(old[other], candidate[other]))
          errors.push({
            field: `/settings/${field}`,
            in: 'body',
            reason: `must be sent again, or as null: it was entered for another ${other}`,
          });
        continue;
      }
      const [was, value] = [present.has(name), given === null || given === '' ? null : given];
      if (value !== null && !validate(value))
        errors.push(...fieldErrors(validate.errors ?? [], 'body').map((e) => ({ ...e, field: `/settings/${field}` })));
      // The new value is not compared with the stored one, because that would reveal whether a guess is right.
      else if (value !== null || was) {
        secrets.push({ name, value: value as string | null });
        changes.push({ field: `settings.${field}`, old: { is_set: was }, new: { is_set: value !== null } });
      }
    }
    return { stored, secrets, changes, errors };
  }

  /** The stored settings that this version of the module has. */
  private known(stored: Values): Values {
    return Object.fromEntries(
      Object.entries(stored).filter(
        ([field]) => Object.hasOwn(this.schema?.properties ?? {}, field) && !this.secrets.has(field),
      ),
    );
  }

  private complete(stored: Values): Values {
    const values = structuredClone(stored);
    if (this.validate(values)) return values;
    for (const { field } of fieldErrors(this.validate.errors ?? [], 'body')) delete values[field.split('/')[1] ?? ''];
    this.validate(values);
    return values;
  }
}
