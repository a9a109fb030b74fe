/** The events of an import: the same ones that single changes have. */
import type { EventInput } from '@lintel/sdk';
import type { DependencyRow, ItemRow } from '../schedule/repository.js';
import { ITEM_FIELDS, type ItemValues, type WantedItem } from './compare.js';
import type { LinkChanges } from './compare-links.js';

/** What was written. */
interface Written {
  card: { id: string; name: string };
  written: readonly WantedItem[];
  gone: readonly ItemRow[];
  links: LinkChanges;
  goneLinks: readonly DependencyRow[];
  patch:
    | {
        before: { start_date: string | null; calendar: unknown };
        after: { start_date: string | null; calendar: unknown };
        version: number;
      }
    | undefined;
}

/** Amounts are in no event. */
const LOGGED = ITEM_FIELDS.filter((field) => field !== 'planned_cost' && field !== 'planned_currency');
const LINK_FIELDS = ['predecessor_id', 'successor_id', 'type', 'lag_days'] as const;

interface Change {
  field: string;
  old: unknown;
  new: unknown;
}

function changesOf<F extends string>(
  fields: readonly F[],
  before: Partial<Record<F, unknown>> | undefined,
  after: Partial<Record<F, unknown>> | undefined,
): Change[] {
  return fields
    .map((field) => ({ field, old: before?.[field] ?? null, new: after?.[field] ?? null }))
    .filter((change) => change.old !== change.new);
}

export function* eventsOf({ card, written, gone, links, goneLinks, patch }: Written): Iterable<EventInput> {
  const card_id = card.id;
  for (const { id, stored, values } of written)
    yield {
      type: stored ? 'ppm_wbs.updated' : 'ppm_wbs.created',
      subject: { kind: 'ppm_wbs', id, name: values.title },
      data: {
        version: (stored?.version ?? 0) + 1,
        changes: changesOf<keyof ItemValues>(LOGGED, stored, values),
        card_id,
      },
    };
  for (const row of gone)
    yield {
      type: 'ppm_wbs.deleted',
      subject: { kind: 'ppm_wbs', id: row.id, name: row.title },
      data: { version: row.version, changes: changesOf<keyof ItemValues>(LOGGED, row, undefined), card_id },
    };
  const link = (type: string, id: string, version: number, changes: Change[]): EventInput => ({
    type: `ppm_dependency.${type}`,
    subject: { kind: 'ppm_dependency', id, name: null },
    data: { version, changes, card_id },
  });
  for (const one of links.creates) yield link('created', one.id, 1, changesOf(LINK_FIELDS, undefined, one));
  for (const one of links.updates)
    yield link('updated', one.id, Number(one.stored!['version']) + 1, changesOf(LINK_FIELDS, one.stored, one));
  for (const row of goneLinks)
    yield link('deleted', row.id, Number(row['version']), changesOf(LINK_FIELDS, row, undefined));
  if (!patch) return;
  const { before, after, version } = patch;
  yield {
    type: 'ppm_plan.updated',
    subject: { kind: 'ppm_plan', id: card_id, name: card.name },
    data: { card_id, version, changes: changesOf(['start_date', 'calendar'], before, after) },
  };
}
