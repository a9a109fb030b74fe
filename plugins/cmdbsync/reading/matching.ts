import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { Mapping } from '../mappings/definition.js';
import type { Proposal, Value } from '../records/definition.js';
import { findByTarget, findTaken } from './matching-repository.js';

/** Names that `cards.findByName` takes at a time. */
const NAMES = 200;

/** A record that is not linked yet. */
export interface Unlinked {
  external_id: string;
  values: Readonly<Record<string, Value>>;
}

/** Cards that a record may be: one exact, several exact, or similar ones. */
export interface Match {
  exact: readonly string[];
  similar: readonly Proposal[];
}

const NONE: Match = { exact: [], similar: [] };

/**
 * Finds cards for records by the identity keys of the mapping, in their order, and by similar names if it proposes matches. Cards that
 * are linked to other records of the mapping are left out. The number of statements is constant for a page.
 */
export async function matchRecords(
  host: Host,
  ctx: RequestContext,
  mapping: Mapping,
  records: readonly Unlinked[],
): Promise<Map<string, Match>> {
  const found = new Map<string, Match>();
  let open = records;
  for (const { target } of mapping.identity) {
    if (open.length === 0) return found;
    const values = new Map(
      open.flatMap((record) => textOf(record.values[target]).map((text) => [record, text] as const)),
    );
    const cards = await findByTarget(host, ctx, mapping.card_type, target, [...new Set(values.values())]);
    const taken = await findTaken(host.db, mapping.id, [...cards.values()].flat());
    for (const [record, text] of values) {
      const exact = (cards.get(text) ?? []).filter((id) => !taken.has(id));
      if (exact.length > 0) found.set(record.external_id, { exact, similar: [] });
    }
    open = open.filter(({ external_id }) => !found.has(external_id));
  }
  if (mapping.proposes_matches) await propose(host, ctx, mapping, open, found);
  return found;
}

async function propose(
  host: Host,
  ctx: RequestContext,
  mapping: Mapping,
  open: readonly Unlinked[],
  found: Map<string, Match>,
): Promise<void> {
  const named = open.filter(({ values }) => typeof values['name'] === 'string' && values['name'] !== '');
  for (let i = 0; i < named.length; i += NAMES) {
    const part = named.slice(i, i + NAMES);
    const names = part.map(({ values }) => String(values['name']));
    const lists = await host.cards.findByName(ctx, names, { types: [mapping.card_type], most: 5 });
    const taken = await findTaken(
      host.db,
      mapping.id,
      lists.flat().map(({ id }) => id),
    );
    for (const [n, { external_id }] of part.entries()) {
      const similar = (lists[n] ?? [])
        .filter(({ id }) => !taken.has(id))
        .map(({ id, score }) => ({ card_id: id, score }));
      if (similar.length > 0) found.set(external_id, { ...NONE, similar });
    }
  }
}

const textOf = (value: Value): string[] => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? [text] : [];
};
