import type { Inventory, PageResult, ListParams, UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { CardProduct, CardProductView, MatchView } from './schemas.js';

type Row<T> = T & Record<string, unknown>;

const LOCK = {
  name: 'insightlens-card-product-lock',
  text: 'select version from insightlens_card_products where card_id = $1 for update',
};
const PUT = {
  name: 'insightlens-card-product-put',
  text: `insert into insightlens_card_products as p (card_id, slug, vendor, product, release, updated_by) values ($1, $2, $3, $4, $5, $6)
    on conflict (card_id) do update set version = p.version + 1, slug = excluded.slug, vendor = excluded.vendor, product = excluded.product,
      release = excluded.release, updated_by = excluded.updated_by, updated_at = ${NOW}`,
};
const DELETE = {
  name: 'insightlens-card-product-delete',
  text: 'delete from insightlens_card_products where card_id = $1',
};

/** The decision about a card that the caller sees. */
export async function findCardProduct(inventory: Inventory, cardId: string): Promise<CardProductView | undefined> {
  const [row] = await inventory.query<Row<Omit<CardProductView, 'updated_at'> & { updated_at: Date }>>(
    'insightlens-card-product',
    ({
      bind,
    }) => `select card_id, slug, vendor, product, release, updated_by, updated_at, version from insightlens_card_products
      where card_id = ${bind(cardId)}::uuid`,
  );
  return row && { ...row, updated_at: row.updated_at.toISOString() };
}

/** @returns the version of the decision, locked; undefined if there is none */
export async function lockCardProduct(uow: UnitOfWork, cardId: string): Promise<number | undefined> {
  return (await uow.query<{ version: number }>(LOCK, [cardId]))[0]?.version;
}

export async function putCardProduct(uow: UnitOfWork, cardId: string, given: CardProduct): Promise<void> {
  const { slug = null, vendor = null, product = null, release = null } = given;
  await uow.query(PUT, [cardId, slug, vendor, product, release, uow.ctx.actor?.id ?? null]);
}

export async function deleteCardProduct(uow: UnitOfWork, cardId: string): Promise<void> {
  await uow.query(DELETE, [cardId]);
}

const SPEC = {
  id: 'l.card_id',
  idType: 'uuid',
  sorts: { name: { sql: 'l.name_key', type: 'text' } },
  defaultSort: 'name',
  defaultDir: 'asc',
} as const;

/**
 * One page of what the current run has found out about the products of cards that the caller sees. One that was found out by the
 * supplier of a card is shown to those who see the supplier and the relation.
 * @param filters.unmatched only those for which a feed could not be used
 */
export async function listMatches(
  inventory: Inventory,
  filters: { unmatched: boolean; reason?: string | undefined; slug?: string | undefined },
  params: ListParams,
): Promise<PageResult<MatchView>> {
  const { unmatched, reason, slug } = filters;
  return await inventory.readPage<Row<MatchView>>('insightlens-matches', ({ cards, bind }) => {
    const related = bind([...inventory.relatedTypes]);
    const where = [
      ...(unmatched ? ["l.reasons <> '{}'"] : ['(l.slug is not null or l.product is not null)']),
      ...(reason === undefined ? [] : [`l.reasons && ${bind(reason.split(','))}::text[]`]),
      ...(slug === undefined ? [] : [`l.slug = ${bind(slug)}`]),
    ];
    return {
      source: `select m.*, c.name, c.name_key, c.type from insightlens_runs u join insightlens_matches m on m.run_id = u.id
        join ${cards({}, {}, ['id', 'name', 'name_key', 'type'])} c on c.id = m.card_id
        left join ${cards({}, {}, ['id', 'type'])} v on v.id = m.via_id
        where u.is_current and u.kind = 'security'
          and (m.via_id is null or (v.type = any(${related}::text[]) and c.type = any(${related}::text[])))`,
      spec: SPEC,
      params,
      where,
      columns: `l.card_id, l.name, l.type, l.slug, l.cycles, l.release, l.vendor, l.product, l.reasons, l.candidates`,
      scope: JSON.stringify([unmatched, reason, slug]),
    };
  });
}
