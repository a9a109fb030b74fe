import type { ListParams, ModuleServices, PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import type { IdentityQuery, IdentityView } from './schemas.js';

interface Removed extends Record<string, unknown> {
  mapping_id: string;
  external_id: string;
  card_id: string | null;
}
interface Stored extends Record<string, unknown> {
  id: string;
  mapping_id: string;
  external_id: string;
  card_id: string;
  name: string;
  linked_at: Date | null;
}

const SPEC = {
  table: 'cmdbsync_identities i',
  id: 'i.id',
  sorts: { linked_at: { sql: 'i.linked_at', type: 'timestamptz', nullable: true } },
  defaultSort: 'linked_at',
  defaultDir: 'desc',
} as const;
const REMOVE = {
  name: 'cmdbsync-identity-remove',
  text: 'delete from cmdbsync_identities where id = $1 returning mapping_id, external_id, card_id',
};
const FORGET_WATERMARK = {
  name: 'cmdbsync-mapping-forget-watermark',
  text: 'update cmdbsync_mappings set watermark = null where id = $1',
};
/** Runs that have not ended must not set the watermark again. */
const FORGET_READS = {
  name: 'cmdbsync-runs-forget-reads',
  text: `update cmdbsync_runs set mapping_version = null where mapping_id = $1 and state in ('queued', 'reading', 'applying', 'review')`,
};

/** One page of the records that are linked to cards which the caller may see. */
export async function listIdentities(
  host: Pick<ModuleServices, 'cards' | 'db'>,
  ctx: RequestContext,
  { mapping_id, card_id, external_id, ...params }: IdentityQuery,
): Promise<PageResult<IdentityView>> {
  const bindings = host.db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const joins = `join ${host.cards.visibleCards(ctx, bind)} c on c.id = i.card_id`;
  // The count is made without the joins.
  const where = ['i.card_id is not null', host.cards.visibleSql(ctx, 'i.card_id', bind)];
  if (mapping_id !== undefined) where.push(`i.mapping_id = ${bind(mapping_id)}::uuid`);
  if (card_id !== undefined) where.push(`i.card_id = ${bind(card_id)}::uuid`);
  if (external_id !== undefined) where.push(`i.external_id = ${bind(external_id)}`);
  const page = await host.db.readPage<Stored>({
    spec: SPEC,
    params: params as ListParams,
    where,
    bindings,
    scope: JSON.stringify([mapping_id, card_id, external_id]),
    columns: 'i.id, i.mapping_id, i.external_id, i.card_id, c.name, i.linked_at',
    joins,
  });
  return {
    ...page,
    items: page.items.map((row) => ({
      id: row.id,
      mapping_id: row.mapping_id,
      external_id: row.external_id,
      card: { id: row.card_id, name: row.name },
      linked_at: row.linked_at?.toISOString() ?? null,
    })),
  };
}

/** Forgets what a record is; the next run of its mapping reads everything and matches it anew. */
export async function removeIdentity(uow: UnitOfWork, id: string): Promise<Removed | undefined> {
  const [row] = await uow.query<Removed>(REMOVE, [id]);
  if (!row) return undefined;
  await uow.query(FORGET_WATERMARK, [row.mapping_id]);
  await uow.query(FORGET_READS, [row.mapping_id]);
  return row;
}
