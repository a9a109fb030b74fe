import type { ModuleServices, UnitOfWork } from '@lintel/sdk';

const FIND = {
  name: 'bpm-template-file',
  text: 'select id, name, version, file_id, content_hash, shipped from bpm_templates where id = $1',
};
const LOCK = { ...FIND, name: 'bpm-template-lock', text: `${FIND.text} for no key update` };

/** A template with its file. */
export interface TemplateFile {
  id: string;
  name: string;
  version: number;
  file_id: string | null;
  content_hash: string | null;
  /** The key of a template that ships with the module, and has no file of its own. */
  shipped: string | null;
}
type Row = TemplateFile & Record<string, unknown>;

export async function findTemplate(
  db: Pick<ModuleServices['db'], 'query'>,
  id: string,
): Promise<TemplateFile | undefined> {
  return (await db.query<Row>(FIND, [id]))[0];
}

export async function lockTemplate(uow: UnitOfWork, id: string): Promise<TemplateFile | undefined> {
  return (await uow.query<Row>(LOCK, [id]))[0];
}
