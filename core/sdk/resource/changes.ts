import { isDeepStrictEqual } from 'node:util';
import type { EventInput } from '../context.js';
import type { ModuleServices } from '../services.js';
import type { Link } from './links-repository.js';
import type { ResourceParts } from './parts.js';
import type { ResourceChangeKind, Row, Values } from './spec.js';

/** A field before and after an operation. */
export interface FieldChange {
  field: string;
  old: unknown;
  new: unknown;
  /** The permission required to see the change. */
  permission?: string;
}

/** The change of a resource by one operation. */
interface RecordedChange {
  kind: ResourceChangeKind;
  row: Row;
  changes: readonly FieldChange[];
  /** Additional members of the event's data. */
  more?: Values;
  /** Type of the event; default: `<kind of the resource>.<kind>`. */
  type?: string | undefined;
}

/** The links of one list that the other one has not, or has with other members. */
function withoutSame(list: readonly Link[], other: readonly Link[]): Link[] {
  const others = new Map(other.map((link) => [link.card_id, link]));
  return list.filter((link) => !isDeepStrictEqual(link, others.get(link.card_id)));
}

/** The logged fields that differ between two states of a resource. */
export function differences(
  { logged, links, restricted }: ResourceParts,
  before: Row | undefined,
  after: Row | undefined,
): FieldChange[] {
  const fields = logged.map(({ name }): FieldChange => {
    const permission = restricted.permissionOf(name);
    return {
      field: name,
      old: before?.[name] ?? null,
      new: after?.[name] ?? null,
      ...(permission !== undefined && { permission }),
    };
  });
  if (links) {
    // Without those that stay as they are: one of 500 links may be added by a request of its own.
    const [old, now] = [before ? links.of(before) : [], after ? links.of(after) : []];
    fields.push({ field: links.field, old: withoutSame(old, now), new: withoutSame(now, old) });
  }
  return fields.filter((change) => !isDeepStrictEqual(change.old, change.new));
}

/** Whether two states of a resource differ in a field whose changes are not logged. */
export const differsUnlogged = ({ unlogged }: ResourceParts, before: Row, after: Row): boolean =>
  unlogged.some(({ name }) => !isDeepStrictEqual(before[name], after[name]));

/** The changes by the operations of a pass, in order, and their events. */
export class ChangeLog {
  private readonly recorded: RecordedChange[] = [];

  constructor(
    private readonly parts: ResourceParts,
    private readonly host: ModuleServices,
  ) {}

  /** Adds a change. */
  record(change: RecordedChange): void {
    this.recorded.push(change);
  }

  /** The events of all changes. @param last returns a resource in its final state, with its `derived` fields */
  *events(last: (id: string) => Row | undefined): Iterable<EventInput> {
    const { spec, cards, name } = this.parts;
    for (const { kind, row: changed, changes, more, type = `${spec.kind}.${kind}` } of this.recorded) {
      const row = this.withDerived(changed, last(changed.id));
      yield {
        type,
        subject: { kind: spec.kind, id: row.id, name: name === undefined ? null : String(row[name]) },
        data: {
          version: row.version,
          ...(spec.reference && { reference: spec.reference(row, this.host) }),
          changes,
          ...cards.owners(row),
          ...spec.eventData?.({ kind, row }),
          ...more,
        },
      };
    }
  }

  /** A resource at the time of a change, with the `derived` fields of its final state. */
  private withDerived(row: Row, last: Row | undefined): Row {
    const derived = this.parts.spec.derived ?? [];
    return last ? { ...row, ...(Object.fromEntries(derived.map((name) => [name, last[name]])) as Values) } : row;
  }
}
