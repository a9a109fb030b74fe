import { isDeepStrictEqual } from 'node:util';
import type { FieldError, RequestContext } from '@lintel/sdk';
import { checkVersion } from '../foundation/conditions.js';
import type { Database } from '../foundation/db/database.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import { invalid } from '../foundation/errors.js';
import { mergePatch } from '../foundation/merge-patch.js';
import type { Secrets } from '../foundation/secrets/index.js';
import { lockSection, readSection, writeSection, type SectionKey } from './repository.js';

/** Settings with one secret, which can be written but not read. */
export interface SectionSpec<V extends object, S extends string> {
  key: SectionKey;
  /** Name in the event log. */
  name: string;
  /** Defaults of all members except the secret. */
  defaults: V;
  /** Member of a patch that sets the secret. */
  secret: S;
  /** Validates the values after the change. */
  check(next: V): Omit<FieldError, 'in'>[];
  /** Whether the change would send the secret to a destination for which it was not entered. */
  changesDestination(before: V, next: V): boolean;
}

export type SectionView<V extends object, S extends string> = V & Record<S, { is_set: boolean }> & { version: number };
/** Merge patch: an absent member is unchanged, null restores its default. */
type SectionPatch<V extends object, S extends string> = { [K in keyof V]?: V[K] | null } & {
  [K in S]?: string | null;
};

/** Reads and changes one section of the settings. */
export class SettingsSection<V extends object, S extends string> {
  private readonly secretName: string;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly secrets: Secrets,
    private readonly spec: SectionSpec<V, S>,
  ) {
    this.secretName = `settings.${spec.key}.${spec.secret}`;
  }

  /** The stored values; for the secret only whether it is set. */
  async read(): Promise<SectionView<V, S>> {
    const { value, version } = await readSection<Partial<V>>(this.db, this.spec.key);
    const is_set = (await this.secrets.present([this.secretName])).size > 0;
    return { ...this.complete(value), [this.spec.secret]: { is_set }, version } as SectionView<V, S>;
  }

  /** The values and the secret, for internal use. */
  async use(): Promise<{ values: V; secret: string | undefined }> {
    const { value } = await readSection<Partial<V>>(this.db, this.spec.key);
    return { values: this.complete(value), secret: (await this.secrets.get(this.secretName))?.toString('utf8') };
  }

  /** @throws precondition_failed, validation_failed */
  async update(ctx: RequestContext, patch: SectionPatch<V, S>): Promise<void> {
    const { spec } = this;
    const { [spec.secret]: given, ...values } = patch as Record<string, unknown> & { [K in S]?: string | null };
    await this.transactions.run(ctx, async (uow) => {
      const { value, version } = await lockSection<Partial<V>>(uow, spec.key);
      const wasSet = (await this.secrets.present([this.secretName], uow)).size > 0;
      const before = this.complete(value);
      const stored = mergePatch(value, values) as Partial<V>;
      const next = this.complete(stored);
      // Whether a sent secret equals the stored one is not revealed: sending one always counts as a change.
      const touched = given !== undefined && (given !== null || wasSet);
      const changed = (Object.keys(next) as (keyof V & string)[]).filter(
        (field) => !isDeepStrictEqual(before[field], next[field]),
      );
      checkVersion(ctx, version, [...changed, ...(touched ? [spec.secret] : [])]);
      this.check(before, next, wasSet && given === undefined);
      if (changed.length === 0 && !touched) return { version };
      if (touched && given !== null) await this.secrets.set(this.secretName, Buffer.from(given as string), uow);
      if (touched && given === null) await this.secrets.remove(this.secretName, uow);
      const changes: object[] = changed.map((field) => ({ field, old: before[field], new: next[field] }));
      if (touched) changes.push({ field: spec.secret, old: { is_set: wasSet }, new: { is_set: given !== null } });
      uow.emit({
        type: 'settings.updated',
        subject: { kind: 'settings', id: spec.key, name: spec.name },
        data: { changes },
      });
      return { version: await writeSection(uow, spec.key, stored) };
    });
  }

  private check(before: V, next: V, keepsSecret: boolean): void {
    const errors = this.spec.check(next);
    // A caller who cannot read the secret must not be able to have it sent to a destination of their choice.
    if (keepsSecret && this.spec.changesDestination(before, next))
      errors.push({
        field: `/${this.spec.secret}`,
        reason: 'must be sent again, or as null: it was entered for another destination',
      });
    if (errors.length > 0) throw invalid(...errors);
  }

  private complete(value: Partial<V>): V {
    return { ...this.spec.defaults, ...value };
  }
}
