import { TimeSlice, type CardRef, type ConnectorRecord, type RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { ask, requireConnection } from '../connections/calls.js';
import { compileFields, valueAt, type MappedRecord } from '../transforms/index.js';
import type { FieldMap, Mapping } from './definition.js';
import { findMapping } from './load-repository.js';
import { fieldTypesOf, readMetamodel } from './metamodel.js';
import { linkedCards } from './preview-repository.js';
import type { PreviewRecord, PreviewView } from './preview-schemas.js';

/** Longest JSON of a raw value in characters; longer ones are cut. */
const MOST_RAW = 2_000;

type Match = NonNullable<PreviewRecord['card']>;

/** Shows what a mapping would read. */
export class PreviewService {
  constructor(private readonly host: Host) {}

  /**
   * Reads the first records of the table of a mapping; stores nothing.
   * @param limit number of records, 1 to 20
   * @throws not_found, cmdbsync_source_failed
   */
  async preview(ctx: RequestContext, id: string, limit: number): Promise<PreviewView> {
    const mapping = await findMapping(this.host.db, id.toLowerCase());
    if (!mapping) throw this.host.problem('not_found');
    const connection = await requireConnection(this.host, mapping.connection_id);
    const metamodel = await readMetamodel(this.host, ctx);
    const reader = compileFields(mapping, fieldTypesOf(metamodel, mapping.card_type));
    const page = await ask(this.host, connection, (connector) =>
      connector.read({
        table: mapping.table_name,
        ...(mapping.filter !== null && { filter: mapping.filter }),
        fields: reader.sources,
        limit,
      }),
    );
    const records = page.records.slice(0, limit);
    const mapped: MappedRecord[] = [];
    const slice = new TimeSlice();
    for (const record of records) {
      mapped.push(reader.read(record));
      if (slice.isOver) await slice.next();
    }
    const cards = await this.matches(ctx, mapping, records, mapped);
    const targets = metamodel.types.get(mapping.card_type)?.targets;
    const isCost = ({ target }: FieldMap): boolean => !metamodel.seesCosts && targets?.get(target)?.isCost === true;
    const withheld = mapping.fields.filter(isCost);
    const hidden = new Set(withheld.map(({ target }) => target));
    const secretSources = new Set(compileFields({ fields: withheld, relations: [] }).sources);
    // Without its target, a field is shown if nothing that is a cost is read from it.
    const sources = reader.sources.filter((source) => !overlaps(source, secretSources));
    return {
      items: records.map((record, i) => ({
        external_id: record.id,
        raw: Object.fromEntries(sources.map((source) => [source, cut(valueAt(record.values, source))])),
        values: without(mapped[i]!.values, hidden),
        references: mapped[i]!.references,
        errors: mapped[i]!.errors.filter(({ field }) => !hidden.has(field)),
        card: cards[i] ?? null,
      })),
      withheld: [...hidden],
    };
  }

  /** The cards of records: those they were synchronised with, otherwise by the identity keys of the mapping. */
  private async matches(
    ctx: RequestContext,
    mapping: Mapping,
    records: readonly ConnectorRecord[],
    mapped: readonly MappedRecord[],
  ): Promise<(Match | undefined)[]> {
    const linked = await linkedCards(
      this.host.db,
      mapping.id,
      records.map(({ id }) => id),
    );
    const seen = await this.host.cards.find(ctx, [...linked.values()]);
    const found = records.map(({ id }) => matchOf(seen.get(linked.get(id) ?? ''), 'identity'));
    for (const { target } of mapping.identity) {
      const texts = mapped.map(({ values }, i) =>
        linked.has(records[i]!.id) || found[i] || typeof values[target] !== 'string' ? '' : values[target],
      );
      const wanted = [...new Set(texts.filter(Boolean))];
      if (wanted.length === 0) continue;
      const cards =
        target === 'external_id'
          ? await this.host.cards.findByExternalId(ctx, mapping.card_type, wanted)
          : target === 'name'
            ? await this.byName(ctx, mapping.card_type, wanted)
            : new Map<string, CardRef>();
      for (const [i, text] of texts.entries()) found[i] ??= matchOf(cards.get(text), target as 'external_id' | 'name');
    }
    return found;
  }

  /** The only card with each of these names. */
  private async byName(ctx: RequestContext, type: string, names: readonly string[]): Promise<Map<string, CardRef>> {
    const lists = await this.host.cards.findByName(ctx, names, { types: [type], most: 2 });
    return new Map(
      names.flatMap((name, i) => {
        const same = lists[i]!.filter(({ score }) => score === 1);
        return same.length === 1 ? [[name, same[0]!] as const] : [];
      }),
    );
  }
}

const matchOf = (card: CardRef | undefined, matched_by: Match['matched_by']): Match | undefined =>
  card && { id: card.id, name: card.name, matched_by };

const without = (values: Readonly<Record<string, unknown>>, hidden: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !hidden.has(key)));

/** Whether a source is, contains or is part of one of the others. */
const overlaps = (source: string, others: ReadonlySet<string>): boolean =>
  [...others].some((other) => other === source || other.startsWith(`${source}.`) || source.startsWith(`${other}.`));

function cut(value: unknown): unknown {
  const room = { left: MOST_RAW + 1 };
  let json: string;
  try {
    json = JSON.stringify(beginOf(value, room));
  } catch {
    // Too many levels.
    return '…';
  }
  return room.left === 0 || json.length > MOST_RAW ? `${json.slice(0, MOST_RAW)}…` : value;
}

/** The beginning of a value, of which other systems may send megabytes; each part of it is at least a character of its JSON. */
function beginOf(value: unknown, room: { left: number }): unknown {
  if (room.left > 0) room.left--;
  if (typeof value === 'string') {
    const text = value.slice(0, room.left);
    room.left -= text.length;
    return text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const begin: unknown[] = [];
    for (let i = 0; i < value.length && room.left > 0; i++) begin.push(beginOf(value[i], room));
    return begin;
  }
  const begin: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (room.left === 0) break;
    begin.push([key, beginOf(member, room)]);
  }
  return Object.fromEntries(begin);
}
