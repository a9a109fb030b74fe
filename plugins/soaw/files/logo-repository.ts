import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { RenderedDocument } from '../rendering/model.js';

type Logo = NonNullable<RenderedDocument['logo']>;

const FIND = { name: 'soaw-logo', text: 'select type, bytes from soaw_logos where sha256 = $1' };
const ADD = {
  name: 'soaw-logo-add',
  text: 'insert into soaw_logos (sha256, type, bytes) values ($1, $2, $3) on conflict do nothing',
};

/** The logo with a hash, as it was stored when signatures were requested. */
export async function findLogo(db: ModuleServices['db'], sha256: string): Promise<Logo | undefined> {
  return (await db.query<Logo & Record<string, unknown>>(FIND, [sha256]))[0];
}

/** Stores a logo; one that is there is kept. */
export async function addLogo(uow: UnitOfWork, sha256: string, { type, bytes }: Logo): Promise<void> {
  await uow.query(ADD, [sha256, type, Buffer.from(bytes)]);
}
