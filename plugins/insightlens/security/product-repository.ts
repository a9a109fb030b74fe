import type { Inventory, UnitOfWork } from '@lintel/sdk';
import type { ProductCard } from '../feeds/products.js';

/** A card whose product is looked for, with what people have decided about it. */
export interface CandidateCard extends ProductCard {
  decided: { slug: string | null; vendor: string | null; product: string | null; release: string | null } | null;
}

/** What was found out about the product of a card, as it is stored. */
export interface StoredMatch {
  card_id: string;
  via_id: string | null;
  slug: string | null;
  cycles: readonly string[];
  release: string | null;
  vendor: string | null;
  product: string | null;
  reasons: readonly string[];
  candidates: readonly string[];
}

/** Types of cards that are products, their fields with the name and the version, and the relation types from their suppliers. */
const TYPES = ['Application', 'ITComponent'] as const;
const NAME = 'attributes.productName';
const VERSION = 'attributes.version';
const SUPPLY = ['providerToApplication', 'providerToITComponent'];

/** Cards that may be products of the feeds, by id, with their suppliers. */
export async function readCandidates(
  inventory: Inventory,
  day: string,
  after: string | null,
  limit: number,
): Promise<CandidateCard[]> {
  const types = TYPES.filter((type) => inventory.types.has(type));
  if (types.length === 0) return [];
  const name = inventory.field(NAME, types);
  const version = inventory.field(VERSION, types);
  const supply = SUPPLY.filter((type) => inventory.relationTypes.has(type));
  return await inventory.query<CandidateCard & Record<string, unknown>>(
    'insightlens-products',
    ({ cards, relations, bind }) => {
      const fields = { ...(name && { product_name: name }), ...(version && { version }) };
      const source = cards({ type: types.join(',') }, fields, ['id', 'name']);
      const on = bind(day);
      const suppliers =
        supply.length === 0
          ? ''
          : `left join (
            select r.target_id, jsonb_agg(distinct jsonb_build_object('id', v.id, 'name', v.name)) as suppliers
              from ${relations(supply)} r join ${cards({}, {}, ['id', 'name'])} v on v.id = r.source_id join page p on p.id = r.target_id
            where (r.valid_from is null or r.valid_from <= ${on}::date) and (r.valid_to is null or r.valid_to >= ${on}::date)
            group by r.target_id) s on s.target_id = p.id`;
      return `with page as materialized (
        select * from ${source} c where ${after === null ? 'true' : `c.id > ${bind(after)}::uuid`} order by c.id limit ${bind(limit)}
      )
      select p.id, ${name ? "coalesce(nullif(btrim(p.product_name), ''), p.name)" : 'p.name'} as name,
        ${version ? "nullif(btrim(p.version), '')" : 'null::text'} as version,
        ${supply.length === 0 ? "'[]'::jsonb" : "coalesce(s.suppliers, '[]'::jsonb)"} as suppliers,
        case when d.card_id is not null then jsonb_build_object('slug', d.slug, 'vendor', d.vendor, 'product', d.product, 'release', d.release) end as decided
      from page p left join insightlens_card_products d on d.card_id = p.id ${suppliers} order by p.id`;
    },
  );
}

const STORE = {
  name: 'insightlens-matches-store',
  text: `insert into insightlens_matches (run_id, card_id, via_id, slug, cycles, release, vendor, product, reasons, candidates)
    select $2, g.card_id, g.via_id, g.slug, g.cycles, g.release, g.vendor, g.product, g.reasons, g.candidates
      from jsonb_to_recordset($1::jsonb) as g(card_id uuid, via_id uuid, slug text, cycles text[], release text, vendor text, product text,
        reasons text[], candidates text[])
    on conflict (run_id, card_id) do update set via_id = excluded.via_id, slug = excluded.slug, cycles = excluded.cycles,
      release = excluded.release, vendor = excluded.vendor, product = excluded.product, reasons = excluded.reasons, candidates = excluded.candidates`,
};
const DELETE = { name: 'insightlens-matches-delete', text: 'delete from insightlens_matches where run_id = $1' };

/** Stores what a run has found out about the products of cards. */
export async function storeMatches(uow: UnitOfWork, runId: string, matches: readonly StoredMatch[]): Promise<void> {
  if (matches.length > 0) await uow.query(STORE, [JSON.stringify(matches), runId]);
}

const DELETE_OLD = {
  name: 'insightlens-matches-delete-old',
  text: `delete from insightlens_matches where (run_id, card_id) in (select m.run_id, m.card_id from insightlens_matches m
    join insightlens_runs u on u.id = m.run_id where not u.is_current and u.id <> $1 limit $2) returning 1 as n`,
};

/** Deletes a batch of what runs have stored that are not shown any more. @returns whether there may be more */
export async function deleteOldMatches(uow: UnitOfWork, runId: string, limit: number): Promise<boolean> {
  return (await uow.query(DELETE_OLD, [runId, limit])).length === limit;
}

/** Deletes what a run has stored. */
export async function deleteMatches(uow: UnitOfWork, runId: string): Promise<void> {
  await uow.query(DELETE, [runId]);
}
