import type { FieldError } from '../problem.js';
import { fault, isOneLine, normal } from './columns.js';
import type { Known } from './known.js';
import { merged, missing } from './merge.js';
import type { ResourceParts } from './parts.js';
import { unknownReferences } from './references.js';
import type { Row, Values } from './spec.js';

/** An invalid field; `field` is a pointer into the body of a single request. */
export type Fault = Omit<FieldError, 'in'>;

/** Converts values of fields from requests to stored ones, and checks them. */
export class FieldValues {
  /** @param isTrusted whether the module itself writes: its values are not checked, except for the number of links */
  constructor(
    private readonly parts: ResourceParts,
    private readonly known: Known,
    private readonly isTrusted: boolean,
  ) {}

  /** The stored fields of a new resource. */
  initial(input: Values): Values {
    const { columns, links } = this.parts;
    const fields = columns.map((column) => {
      const value = input[column.name];
      if (value === undefined) return [column.name, normal(column, structuredClone(column.initial))];
      // The values of all operations of a bulk request are merge patches, also of those that create.
      return [column.name, normal(column, this.isTrusted ? value : merged(column.schema, undefined, value))];
    });
    return {
      ...(Object.fromEntries(fields) as Values),
      ...(links && { [links.field]: links.normal(input[links.field] ?? []) }),
    };
  }

  /** The fields as the caller sees them. */
  seen(row: Row): Values {
    const { links } = this.parts;
    return links ? { ...row, [links.field]: links.of(row).filter(({ card_id }) => this.known.sees(card_id)) } : row;
  }

  /** The resource after a merge patch. */
  patched(before: Row, patch: Values): Row {
    const { columns, links } = this.parts;
    const changes = columns.flatMap((column) => {
      const value = patch[column.name];
      return value === undefined
        ? []
        : [[column.name, normal(column, merged(column.schema, before[column.name], value))]];
    });
    const linked = links && patch[links.field] !== undefined ? links.normal(patch[links.field]) : undefined;
    return { ...before, ...(Object.fromEntries(changes) as Values), ...(linked && { [links!.field]: linked }) };
  }

  /** The patched resource with the hidden cards that it referenced before, because the caller cannot remove them. */
  kept(before: Row, patched: Row, patch: Values): Row {
    const { links, cards } = this.parts;
    const sent = Object.fromEntries(Object.keys(patch).map((field) => [field, patched[field]]));
    const row = { ...patched, ...cards.kept(before, sent, (card) => !this.known.sees(card)), id: before.id };
    if (!links || patch[links.field] === undefined) return row;
    const hidden = links.of(before).filter(({ card_id }) => !this.known.sees(card_id));
    const shown = [...new Map(links.of(patched).map((link) => [link.card_id, link])).values()];
    return { ...row, [links.field]: links.normal([...shown, ...hidden]) };
  }

  /** The resource with fields set by the module, which replace values as a whole. */
  replaced(row: Row, set: Values): Row {
    const { columns, links } = this.parts;
    const changes = columns.flatMap((column) =>
      column.name in set ? [[column.name, normal(column, set[column.name])]] : [],
    );
    return {
      ...row,
      ...(Object.fromEntries(changes) as Values),
      ...(links && set[links.field] !== undefined && { [links.field]: links.normal(set[links.field]) }),
    };
  }

  /** The errors of a new resource. @param input as it was sent */
  faultsOfNew(row: Row, input: Values): Fault[] {
    const { spec, columns, links } = this.parts;
    const absent = columns.filter(
      ({ name, initial }) => name in spec.fields && initial === undefined && input[name] === undefined,
    );
    return [
      ...absent.map(({ name }) => ({ field: `/${name}`, reason: 'is required' })),
      ...(links ? links.faults(links.of(input), (card) => this.known.sees(card)) : []),
      ...this.faults(row, row),
    ];
  }

  /**
   * The errors of a changed resource.
   * @param touched fields whose values differ from before
   */
  faultsOfChanged(row: Row, patch: Values, touched: Values): Fault[] {
    const { spec, links } = this.parts;
    const linked = links && patch[links.field] !== undefined ? links : undefined;
    const tooMany = linked?.tooMany(linked.of(row)) ?? [];
    if (this.isTrusted) return [...tooMany, ...this.faults(row, {})];
    const fixed = (spec.fixed ?? []).filter((field) => field in touched);
    return [
      ...fixed.map((field) => ({ field: `/${field}`, reason: 'stays as it was created' })),
      ...(linked?.faults(linked.of(patch), (card) => this.known.sees(card)) ?? []),
      ...tooMany,
      ...this.faults(row, touched),
    ];
  }

  /** The errors that schemas cannot express. @param touched changed fields; references in others are not checked again */
  private faults(row: Row, touched: Values): Fault[] {
    const { columns, references, links, name } = this.parts;
    const isNamed = name !== undefined && !this.isTrusted && Object.hasOwn(touched, name);
    const faults = columns.flatMap((column): Fault[] => {
      if (isNamed && column.name === name && !isOneLine(row[name]))
        return [{ field: `/${name}`, reason: 'must be one line without control characters' }];
      const reason = this.isTrusted ? undefined : fault(column, row[column.name]);
      if (reason !== undefined) return [{ field: `/${column.name}`, reason }];
      return missing(column.schema, row[column.name], `/${column.name}`).map((field) => ({
        field,
        reason: 'is required',
      }));
    });
    const named = links ? { ...touched, [links.field]: undefined } : touched;
    return [...faults, ...unknownReferences(references, this.known.references, named)];
  }
}
