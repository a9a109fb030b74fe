import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../context.js';
import type { Bindings, ModuleServices } from '../services.js';
import type { Column } from './columns.js';
import { listed } from './references.js';
import type { AnySpec, Values } from './spec.js';

/**
 * The fields of a resource that reference cards, limited to visible ones. A resource of a hidden card does not exist for
 * the caller; other fields are shown without hidden cards, and keep them when the caller changes the others.
 */
export class CardFields {
  private readonly fields: readonly Column[];
  /** Fields whose card owns the resource: the field of `card` in the spec, and those that cannot be null. */
  private readonly owning: readonly Column[];

  constructor({ references = {}, card }: AnySpec, columns: readonly Column[]) {
    this.fields = columns.filter(({ name }) => references[name] === 'card' || card?.field === name);
    this.owning = this.fields.filter(
      ({ name, type, nullable }) => type === 'uuid' && (!nullable || card?.field === name),
    );
  }

  /** Conditions that exclude resources of hidden cards, and filters by hidden cards. */
  async where(host: ModuleServices, ctx: RequestContext, query: Values, bindings: Bindings): Promise<string[]> {
    if (this.fields.length === 0) return [];
    const requested = this.fields.flatMap(({ name }) =>
      typeof query[name] === 'string' ? (query[name] as string).split(',').filter((id) => id !== 'none') : [],
    );
    // A filter by a hidden card finds nothing, like one by an unknown card.
    const isNothing = (await host.cards.hidden(ctx, requested)).size > 0;
    const own = this.owning.map(
      ({ column }) =>
        `(r.${column} is null or ${host.cards.visibleSql(ctx, `r.${column}`, (value) => bindings.add(value))})`,
    );
    return [...own, ...(isNothing ? ['false'] : [])];
  }

  /** The rows visible to the caller, by index; undefined for hidden ones. One statement at most. */
  async shown<R extends Values>(
    host: ModuleServices,
    ctx: RequestContext,
    rows: readonly R[],
  ): Promise<(R | undefined)[]> {
    const hidden = await host.cards.hidden(
      ctx,
      rows.flatMap((row) => this.cardsOf(row)),
    );
    if (hidden.size === 0) return [...rows];
    return rows.map((row) =>
      this.owning.some(({ name }) => hidden.has(row[name] as string))
        ? undefined
        : {
            ...row,
            ...(Object.fromEntries(this.fields.map(({ name }) => [name, without(row[name], hidden)])) as Values),
          },
    );
  }

  /** Whether the resource has such fields. */
  get isUsed(): boolean {
    return this.fields.length > 0;
  }

  /** The cards referenced by a resource. */
  cardsOf(row: Values): string[] {
    return this.fields.flatMap(({ name }) => listed(row[name]));
  }

  /** The cards that own a resource: if one of them is hidden from the caller, so is the resource. */
  owningCards(row: Values): string[] {
    return this.owning.flatMap(({ name }) => listed(row[name]));
  }

  /** Adds the hidden cards that the stored fields reference to a patch, so that the caller cannot remove them. @param before the stored resource */
  kept(before: Values, patch: Values, isHidden: (card: string) => boolean): Values {
    const touched = this.fields.filter(({ name }) => patch[name] !== undefined);
    const kept = touched.map(({ name }) => {
      const hidden = listed(before[name]).filter(isHidden);
      if (Array.isArray(before[name])) return [name, [...new Set([...hidden, ...listed(patch[name])])]];
      return [name, patch[name] ?? hidden[0] ?? null];
    });
    return { ...patch, ...(Object.fromEntries(kept) as Values) };
  }

  /** The columns of cards without which a resource cannot exist. */
  get requiredColumns(): readonly string[] {
    return this.owning.filter(({ nullable }) => !nullable).map(({ column }) => column);
  }

  /** The fields of the cards that own a resource, which its events are about. */
  get owningFields(): readonly string[] {
    return this.owning.map(({ name }) => name);
  }

  /** The owning cards by field, for events: receivers who may not see one of them do not receive the event. */
  owners(row: Values): Values {
    return Object.fromEntries(
      this.owning.flatMap(({ name }) => (typeof row[name] === 'string' ? [[name, row[name]]] : [])),
    );
  }

  /** The shown values of fields that differ from the stored ones; part of the ETag, which then differs by caller. */
  differing(stored: Values, shown: Values): Values | undefined {
    const other = this.fields.filter(({ name }) => !isDeepStrictEqual(stored[name], shown[name]));
    return other.length > 0 ? Object.fromEntries(other.map(({ name }) => [name, shown[name]])) : undefined;
  }
}

function without(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.filter((id) => !hidden.has(id as string));
  return typeof value === 'string' && hidden.has(value) ? null : value;
}
