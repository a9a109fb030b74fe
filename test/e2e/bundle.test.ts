/** The bundled service, which users run, against the compiled files, which most tests import. */
import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { client, createDatabase, registerAdmin, testApp } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { startService } from '../support/service.js';

const MODULES = readdirSync('plugins').filter((name) => /^[a-z]/.test(name));
const { origin, close } = await testApp();
t.teardown(close);
const service = await startService({
  env: {
    DATABASE_URL: urlOf(await createDatabase()),
    LINTEL_SECRET_KEY: Buffer.alloc(32, 'bundle').toString('base64'),
  },
});
t.teardown(() => service.stop());

await t.test('it has the same operations, schemas and modules', async (t) => {
  const [compiled, bundled] = await Promise.all(
    [origin, service.origin].map(async (at) => (await client(at).get<{ paths: object }>('/api/openapi.json')).body),
  );
  t.ok(Object.keys(compiled!.paths).length > 300);
  t.strictSame(Object.keys(bundled!.paths), Object.keys(compiled!.paths));
  // A comparison by tap prints the documents, which takes seconds.
  t.ok(isDeepStrictEqual(bundled, compiled));
});

await t.test('it finds all modules, and each can be used', async (t) => {
  const { api } = await registerAdmin(service.origin);
  const { body } = await api.get<{ items: { id: string; reason: string | null }[] }>('/settings/modules', {
    query: { page_size: 200 },
  });
  t.strictSame(body.items.map(({ id }) => id).sort(), [...MODULES].sort());
  t.strictSame(
    body.items.filter(({ reason }) => reason !== null),
    [],
  );
});
