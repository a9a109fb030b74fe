/** The catalogue of event types. The events that tests cause are compared with it when their app is closed. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { CORE_TYPES } from '../../core/messaging/events/catalogue.js';
import { makeUser, registerAdmin, testApp, client, type AnyBody } from '../support/app.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await moduleFolder(t);
await writeModule(
  folder,
  `import { Type, defineModule } from '@lintel/sdk';
export default defineModule({
  id: 'bells', version: '1.0.0', title: 'Bells', description: 'Rings.', host: '^0.1.0',
  permissions: [{ key: 'bells.view', description: 'Hear.', roles: [] }],
  events: [
    { kind: 'bells', permission: 'bells.view', types: { 'bells.rung': Type.Object({ times: Type.Integer() }, { description: 'A bell was rung.' }) } },
    { kind: 'bells_loose', permission: 'bells.view' },
  ],
  services: () => ({}), enabledByDefault: false,
});`,
  { id: 'bells' },
);
const { origin, close } = await testApp({ config: { pluginsDir: folder } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = await makeUser(admin, 'viewer');
const types = async (query: Record<string, string> = {}) => (await api.get('/events/types', { query })).body;

await t.test('it has the types of the core and of modules, with schemas', async (t) => {
  const core = await types({ module: 'core', page_size: '200' });
  t.strictSame(
    core.items.map(({ type }) => type),
    Object.keys(CORE_TYPES).sort(),
  );
  for (const { type, data, description } of core.items) {
    t.match(data, { type: 'object' }, type);
    t.match(description, /^An? .*\.$|^[A-Z].*\.$/, type);
  }
  t.match(
    (await types({ kind: 'card' })).items.find(({ type }) => type === 'card.deleted'),
    {
      module: null,
      permission: null,
      data: { required: ['version'], properties: { version: { type: 'integer' } } },
    },
  );
  t.match((await types({ module: 'bells' })).items, [
    {
      type: 'bells.rung',
      kind: 'bells',
      module: 'bells',
      permission: 'bells.view',
      description: 'A bell was rung.',
      data: { properties: { times: { type: 'integer' } } },
    },
    { type: 'bells_loose.', kind: 'bells_loose', data: { type: 'object' } },
  ]);
  const risks = await types({ module: 'risks' });
  t.ok(risks.items.some(({ type, data }) => type === 'risks.transitioned' && (data as AnyBody)['properties']));
  t.equal((await client(origin).get('/events/types')).status, 401);
});

await t.test('it is paged like every list', async (t) => {
  const pages = async (page_size: string): Promise<unknown[]> => {
    const items: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: AnyBody = await types({ page_size, ...(cursor !== '' && { cursor }) });
      items.push(...page.items.map(({ type }) => type));
      cursor = page.next_cursor;
    }
    return items;
  };
  const all = await pages('200');
  t.equal(new Set(all).size, (await types({ page_size: '1' })).total);
  t.strictSame(await pages('40'), all);
});

t.test('every type that stands in the code of the core is in it', async (t) => {
  const files = readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/(^|\/)(dist|sdk|client)\//.test(path) && !path.endsWith('schemas.ts'),
  );
  const kinds = [...new Set(Object.keys(CORE_TYPES).map((type) => type.split('.')[0]!))].join('|');
  const literal = new RegExp(`type: '((?:${kinds})\\.[a-z_]+)'`, 'g');
  const found = files.flatMap((path) =>
    [...readFileSync(join(root, 'core', path), 'utf8').matchAll(literal)].map(([, type]) => type!),
  );
  t.ok(found.length > 30);
  t.strictSame(
    found.filter((type) => !Object.hasOwn(CORE_TYPES, type)),
    ['webhook.test'],
    'the one that is sent to a webhook only is not in the log',
  );
});
