import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeUser, registerAdmin, testApp } from './app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
/** An id of no object. */
export const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
export const BOOKS = '/library/books';

/** Starts an app with the module `library` of the fixtures, users of each role and two cards. */
export async function libraryApp() {
  const { app, origin, database, close } = await testApp({
    config: { pluginsDir: join(root, 'test/fixtures/modules/library') },
  });
  const admin = await registerAdmin(origin);
  const [viewer, member, architect] = await Promise.all([
    makeUser(admin, 'viewer'),
    makeUser(admin, 'member'),
    makeUser(admin, 'architect'),
  ]);
  const card = async (name: string): Promise<string> =>
    (await admin.api.post('/cards', { type: 'Application', name })).body.id;
  return { app, origin, database, close, root, admin, viewer, member, architect, card };
}

type LibraryApp = Awaited<ReturnType<typeof libraryApp>>;

/** Creates a stakeholder role that permits changing books of a card, and a viewer who has it on one card. */
export async function makeLibrarian({ admin, card }: Pick<LibraryApp, 'admin' | 'card'>) {
  const role = await admin.api.post('/metamodel/types/Application/stakeholder-roles', {
    key: 'librarian',
    label: 'Librarian',
    permissions: { 'card.library_manage': true },
  });
  const librarian = await makeUser(admin, 'viewer');
  const own = await card('Own');
  const named = await admin.api.post(`/cards/${own}/stakeholders`, { user_id: librarian.user.id, role: 'librarian' });
  if (role.status !== 201 || named.status !== 201) throw new Error(JSON.stringify([role.body, named.body]));
  return { librarian, own };
}
