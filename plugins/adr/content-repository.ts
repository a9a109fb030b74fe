import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import { CONTENT } from './columns-repository.js';
import type { RecordFields } from './model.js';
import type { RelatedInput } from './schemas.js';

type Db = ModuleServices['db'];

/** The signed content of a decision. Relations read from a file are not included: they are part of its Markdown. */
interface AdrContent extends RecordFields {
  card_ids: string[];
  related: RelatedInput[];
  markdown: string | null;
}

const FIND = {
  name: 'adr-content',
  text: `select d.source_markdown as markdown, ${CONTENT} from adr_decisions d where d.id = $1`,
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
  return (await uow.query<AdrContent & Record<string, unknown>>(FIND, [id]))[0]!;
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
