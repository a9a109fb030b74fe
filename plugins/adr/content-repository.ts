import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { Adr } from './model.js';
import type { RelatedInput } from './schemas.js';

type Db = ModuleServices['db'];

/** The signed content of a decision. Relations read from a file are not included: they are part of its Markdown. */
export interface AdrContent
  extends Pick<Adr, 'title' | 'context' | 'drivers' | 'options' | 'decision' | 'consequences'> {
  card_ids: string[];
  related: RelatedInput[];
  markdown: string | null;
}

const CONTENT = {
  name: 'adr-content',
  text: `select d.title, d.context, d.drivers, d.options, d.decision, d.consequences, d.source_markdown as markdown,
      array(select c.card_id::text from adr_cards c where c.adr_id = d.id order by c.card_id) as card_ids,
      coalesce((select jsonb_agg(jsonb_build_object('type', r.type, 'adr_id', r.target_id) order by r.type, r.target_id)
        from adr_related r where r.adr_id = d.id and not r.is_imported), '[]') as related
    from adr_decisions d where d.id = $1`,
};
const COPY_CARDS = {
  name: 'adr-copy-cards',
  text: 'insert into adr_cards (adr_id, card_id) select $2, card_id from adr_cards where adr_id = $1',
};
const COPY_RELATED = {
  name: 'adr-copy-related',
  text: 'insert into adr_related (adr_id, target_id, type, is_imported) select $2, target_id, type, is_imported from adr_related where adr_id = $1',
};
const CARDS = {
  name: 'adr-cards-of',
  text: 'select array(select c.card_id::text from adr_cards c where c.adr_id = d.id) as card_ids from adr_decisions d where d.id = $1',
};

export async function findContent(uow: UnitOfWork, id: string): Promise<AdrContent> {
  return (await uow.query<AdrContent & Record<string, unknown>>(CONTENT, [id]))[0]!;
}

/** The content of a row with more columns. */
export function contentOf({
  title,
  context,
  drivers,
  options,
  decision,
  consequences,
  card_ids,
  related,
  markdown,
}: AdrContent): AdrContent {
  return { title, context, drivers, options, decision, consequences, card_ids, related, markdown };
}

/** Copies rows of other tables to a new revision. */
export async function copyLinks(uow: UnitOfWork, from: string, to: string): Promise<void> {
  await uow.query(COPY_CARDS, [from, to]);
  await uow.query(COPY_RELATED, [from, to]);
}

/** The cards linked to a decision; undefined where the decision does not exist. */
export async function cardsOf(db: Db, id: string): Promise<string[] | undefined> {
  return (await db.query<{ card_ids: string[] }>(CARDS, [id]))[0]?.card_ids;
}
