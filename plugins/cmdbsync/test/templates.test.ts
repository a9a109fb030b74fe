import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { dataAbsent, DATA_DIR } from '../../../test/support/app.js';
import { netbox } from '../templates/netbox.js';
import { compileFields } from '../transforms/index.js';

const file = path.join(DATA_DIR, 'cmdb-netbox-demo', 'netbox-objects.json');

interface Row {
  model: string;
  pk: number;
  fields: Record<string, unknown>;
}
/** The models of the dump by table. */
const MODELS: Record<string, string> = {
  'tenancy.tenants': 'tenancy.tenant',
  'dcim.sites': 'dcim.site',
  'circuits.providers': 'circuits.provider',
  'dcim.racks': 'dcim.rack',
  'virtualization.clusters': 'virtualization.cluster',
  'dcim.devices': 'dcim.device',
  'virtualization.virtual-machines': 'virtualization.virtualmachine',
};

t.test('a device has the name of its site in brackets, and without a name its model and id', (t) => {
  const devices = netbox.mappings.find(({ table }) => table === 'dcim.devices')!;
  const reader = compileFields(devices);
  const named = (values: Record<string, unknown>) => reader.read({ id: '7', values }).values['name'];
  t.equal(named({ name: 'srv', site: { name: 'Here' }, device_type: { model: 'X1' } }), 'srv (Here)');
  t.equal(named({ name: null, device_type: { model: 'X1' } }), 'X1 (7)');
  t.equal(named({ name: '', device_type: { id: 3 } }), 'Device (7)');
  t.end();
});

t.test('the records of the demo have names and external ids that differ', { skip: dataAbsent }, (t) => {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[];
  const sites = new Map(
    rows.filter(({ model }) => model === 'dcim.site').map(({ pk, fields }) => [pk, fields['name']]),
  );
  const seen = new Map<string, Set<unknown>>();
  let count = 0;
  for (const mapping of netbox.mappings) {
    const reader = compileFields(mapping);
    for (const { pk, fields } of rows.filter(({ model }) => model === MODELS[mapping.table])) {
      const site = fields['site'];
      const nested = typeof site === 'number' ? { id: site, name: sites.get(site) ?? `Site ${site}` } : null;
      const { values, errors } = reader.read({
        id: String(pk),
        values: { ...fields, id: pk, site: nested, device_type: { id: fields['device_type'], model: 'Model' } },
      });
      t.same(errors, []);
      for (const target of ['name', 'external_id']) {
        const taken = seen.get(`${mapping.card_type} ${target}`) ?? new Set();
        seen.set(`${mapping.card_type} ${target}`, taken);
        const value = String(values[target]).toLowerCase();
        t.ok(values[target] !== null && !taken.has(value), `${mapping.table} ${value}`);
        taken.add(value);
      }
      count++;
    }
  }
  t.equal(count, 249);
  t.end();
});
