import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { RenditionKind } from '../rendering/renderings.js';

/** A stored file of a signed document. */
export interface Rendition {
  kind: RenditionKind;
  /** Without amounts. */
  withheld: boolean;
  /** Hexadecimal. */
  sha256: string;
  /** Bytes. */
  size: number;
  file_id: string;
}

const FIND = {
  name: 'soaw-rendition',
  text: 'select kind, withheld, sha256, size, file_id from soaw_renditions where document_id = $1 and kind = $2 and withheld = $3',
};
const ADD = {
  name: 'soaw-renditions-add',
  text: `insert into soaw_renditions (document_id, kind, withheld, sha256, size, file_id)
    select $1, n.kind, n.withheld, n.sha256, n.size, n.file_id
    from jsonb_to_recordset($2::jsonb) as n(kind text, withheld boolean, sha256 text, size integer, file_id uuid)
    on conflict do nothing returning file_id`,
};

export async function findRendition(
  db: ModuleServices['db'],
  id: string,
  kind: RenditionKind,
  withheld: boolean,
): Promise<Rendition | undefined> {
  return (await db.query<Rendition & Record<string, unknown>>(FIND, [id, kind, withheld]))[0];
}

/** Stores which files belong to a document; those that it has already are kept. @returns ids of the new files */
export async function addRenditions(uow: UnitOfWork, id: string, files: readonly Rendition[]): Promise<string[]> {
  return (await uow.query<{ file_id: string }>(ADD, [id, JSON.stringify(files)])).map(({ file_id }) => file_id);
}
