/** The statements of `inventory.read` of modules that are not part of Lintel run as their database role, with all filters and fields. */
import t from 'tap';
import { fill } from '../../plugins/reports/test/landscape.js';
import { registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const PACKAGE = '@acme/lintel-leases';
const folder = await moduleFolder(t);
await writeModule(
  folder,
  `
import { Type, Strict, defineModule, defineReport } from '@lintel/sdk';
const Answer = Type.Object({ who: Type.String(), total: Type.Integer(), leases: Type.Integer(), relations: Type.Integer(), stakeholders: Type.Integer() });
export default defineModule({
  id: 'leases', version: '1.0.0', title: 'Leases', description: 'Leases of applications.', host: '^0.1.0',
  permissions: [{ key: 'leases.view', description: 'See leases.', roles: ['member', 'viewer'] }],
  migrations: { '0001_first': {
    up: (knex) => knex.raw('create table leases_rows (id serial primary key, card_id uuid references cards(id) on delete cascade)'),
    down: (knex) => knex.raw('drop table leases_rows') } },
  services: (host) => host,
  reports: [defineReport({
    id: 'probe', title: 'Probe', description: 'Everything of a type.', permission: 'leases.view',
    parameters: Strict({ of: Type.String({ maxLength: 63 }) }), cardFilters: true, answer: Answer,
    run: (host, { ctx, parameters, filters, lang }) => host.inventory.read(ctx, { lang }, async (inventory) => {
      const type = inventory.types.get(parameters.of);
      const numbered = (fields) => Object.fromEntries(fields.map((field, i) => ['f' + i, field]));
      const fields = numbered([...type.fields, ...['type', 'subtype', 'approval_status', 'lifecycle_phase', 'data_quality'].map((key) => inventory.field(key, [type.key]))]);
      const all = [...inventory.relationTypes.values()].flatMap((one) => one.fields);
      const [row] = await inventory.query('leases-probe', ({ cards, relations, stakeholders }) => \`
        select current_user::text as who,
          (select count(to_jsonb(c))::int from \${cards({ ...filters, type: type.key }, fields)} c) as total,
          (select count(*)::int from \${cards(filters)} c join leases_rows l on l.card_id = c.id) as leases,
          (select count(to_jsonb(r))::int from \${relations(undefined, numbered(all))} r join \${cards({})} c on c.id = r.source_id) as relations,
          (select count(*)::int from \${stakeholders()} s) as stakeholders\`);
      return row;
    }),
    tables: ({ total }) => [{ name: 'Probe', columns: [{ title: 'Cards', kind: 'number' }], rows: [[total]] }],
  })],
  enabledByDefault: true,
});`,
  { package: PACKAGE, version: '1.0.0' },
);
const { origin, close } = await testApp({ config: { pluginsDir: folder, modules: [PACKAGE] } });
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fill(admin);
const [anApplication] = world.applications;
await admin.api.patch('/roles/narrow', {
  permissions: ['cards.view', 'relations.view', 'stakeholders.view', 'reports.view', 'leases.view'],
});
interface Probe extends AnyBody {
  who: string;
  relations: number;
}

const IDS = `${anApplication},${world.capabilities[0]}`;
/** Every filter, by itself. */
const FILTERS: Record<string, string>[] = [
  {},
  { status: 'ACTIVE,ARCHIVED' },
  { approval_status: 'DRAFT' },
  { subtype: 'any' },
  { parent_id: 'null' },
  { parent_id: IDS },
  { root_id: IDS },
  { ids: IDS },
  { external_id: 'x' },
  { created_since: '2020-01-01T00:00:00Z' },
  { updated_since: '2020-01-01T00:00:00Z' },
  { updated_before: '2040-01-01T00:00:00Z' },
  { lifecycle_phase: 'active,none' },
  { 'data_quality[gte]': '10', 'data_quality[lt]': '90' },
  { search: 'app 1' },
  { search: '"exact words"' },
  { stakeholder_id: 'me' },
  { stakeholder_role: 'responsible' },
  { 'stakeholder_role[empty]': 'any' },
  { related_to: IDS },
  { related_root_id: world.capabilities[0]! },
  { has_relation: 'none' },
  { 'attributes.costTotalAnnual[gte]': '1' },
  { 'attributes.businessCriticality': 'missionCritical' },
  { 'attributes.timeModel[empty]': 'true' },
];

for (const name of ['admin', 'member', 'viewer', 'narrow', 'owner'] as const) {
  await t.test(`for ${name}, the report counts what the list has`, async (t) => {
    const { api } = world[name];
    for (const filters of FILTERS) {
      const told = JSON.stringify(filters);
      const { status, body } = await api.get<Probe>('/reports/leases.probe', {
        query: { of: 'Application', ...filters },
      });
      t.equal(status, 200, `${told}: ${JSON.stringify(body)}`);
      const list = await api.get('/cards', {
        query: { type: 'Application', total: 'exact', page_size: 1, ...filters },
      });
      t.equal(list.status, 200, told);
      t.equal(body.total, list.body.total, told);
    }
    const { body } = await api.get<Probe>('/reports/leases.probe', { query: { of: 'Application' } });
    t.match(body.who, /^lintel_\d+_leases$/, 'as the role of the module');
    t.ok(body.relations > 0);
  });
}
