/** The data of a module is removed only with its id as confirmation and its current version. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { registerAdmin, sql, testApp } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const { origin, database, close } = await testApp({
  config: { pluginsDir: join(root, 'test/fixtures/modules/ports') },
});
t.teardown(close);
const { api } = await registerAdmin(origin);
const PATH = '/settings/modules/ports';
const version = async () => (await api.get(PATH)).body.version;
const remove = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  api.del(PATH, { query, headers });
const stored = async () =>
  (await sql<{ settings: unknown }>(database, `select settings from modules where id = 'ports'`))[0]?.settings;

await t.test('without a version, or the id once more, nothing is removed', async (t) => {
  await api.patch(PATH, { enabled: false, settings: { url: 'https://kept.example' } });
  const now = { 'if-match': `"${await version()}"` };
  const confirm = { confirm: 'ports' };
  const kept = await stored();
  t.match(await remove(confirm), { status: 428, body: { code: 'precondition_required' } });
  t.match(await remove(confirm, { 'if-match': '*' }), { status: 428 }, '* is no version');
  t.match(await remove({}, now), { status: 422, body: { errors: [{ field: 'confirm', in: 'query' }] } });
  for (const id of ['', 'Ports', 'ports ', 'ports_other', 'true'])
    t.match(
      await remove({ confirm: id }, now),
      { status: 422, body: { errors: [{ field: 'confirm', reason: 'must be the id of the module', in: 'query' }] } },
      id,
    );
  t.match(await remove(confirm, { 'if-match': 'W/"1"' }), { status: 412 }, 'a weak tag matches nothing');
  t.match(await remove(confirm, { 'if-match': `"${(await version()) - 1}"` }), {
    status: 412,
    body: { current_version: await version() },
  });
  t.strictSame(await stored(), kept);
});

await t.test('with an outdated version nothing is removed; with the current one it is', async (t) => {
  const outdated = await version();
  await api.patch(PATH, { enabled: true });
  await api.patch(PATH, { enabled: false });
  t.match(await remove({ confirm: 'ports' }, { 'if-match': `"${outdated}"` }), { status: 412 });
  t.equal((await remove({ confirm: 'ports' }, { 'if-match': `"${await version()}"` })).status, 204);
  t.match(await api.get(PATH), {
    status: 200,
    body: { state: 'discovered', settings: { url: 'https://example.org' } },
  });
  t.match(
    await api.del('/settings/modules/nowhere', { query: { confirm: 'nowhere' }, headers: { 'if-match': '"1"' } }),
    { status: 404 },
  );
});

await t.test('the OpenAPI document describes it', async (t) => {
  const { paths, components } = (
    await api.get<{
      paths: Record<string, Record<string, { parameters: { $ref?: string; name?: string; required?: boolean }[] }>>;
      components: { parameters: Record<string, unknown> };
    }>('/api/openapi.json')
  ).body;
  const { parameters } = paths['/api/v1/settings/modules/{id}']!['delete']!;
  t.match(
    parameters.find(({ name }) => name === 'confirm'),
    { in: 'query' },
  );
  t.ok(parameters.some(({ $ref }) => $ref === '#/components/parameters/IfMatchRequired'));
  t.match(components.parameters['IfMatchRequired'], { name: 'If-Match', in: 'header', required: true });
});
