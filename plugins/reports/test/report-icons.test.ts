/** The reports pass the icons of the metamodel to their answers and pictures. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../../../test/support/app.js';
import { readSvg, type IconBox } from './svg.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const HOSTILE = '"/><script>alert(1)</script>';

/** Each type has its icon, except for providers, whose icon is not the name of one. */
const ICONS: Record<string, string> = { Application: 'apps', ITComponent: 'memory', Provider: HOSTILE };
expectStatus(await api.patch('/metamodel/types/Provider', { icon: HOSTILE }), 200, 'setting an icon');
const ids: string[] = [];
for (const type of Object.keys(ICONS)) {
  const cost = type === 'Provider' ? {} : { attributes: { costTotalAnnual: 1_000 } };
  const card = { type, name: `A ${type}`, lifecycle: { active: '2012-01-01', endOfLife: '2022-01-01' }, ...cost };
  ids.push(expectStatus(await api.post('/cards', card), 201, type).body.id as string);
}
const relation = { type: 'applicationToITComponent', source_id: ids[0], target_id: ids[1] };
expectStatus(await api.post('/relations', relation), 201, 'a relation');

interface TypeRow {
  type?: string;
  key?: string;
  icon?: string;
}
type Report = Record<'by_type' | 'by_role' | 'types' | 'groups', TypeRow[] | undefined>;

async function iconsOf(path: string): Promise<{ rows: TypeRow[]; drawn: readonly IconBox[] }> {
  const { body } = expectStatus(await api.get<Report>(path), 200, path);
  const separator = path.includes('?') ? '&' : '?';
  const svg = await fetch(`${origin}/api/v1${path}${separator}format=svg`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const { icons, problems } = readSvg(await svg.text());
  t.strictSame(problems, [], path);
  return { rows: body.by_role ?? body.by_type ?? body.types ?? body.groups ?? [], drawn: icons };
}

const REPORTS: [path: string, drawn: number][] = [
  ['/reports/dashboard', 2],
  ['/reports/data-quality', 2],
  ['/reports/cost?field=costTotalAnnual', 2],
  // In the legend.
  ['/reports/end-of-life', 2],
  // Two nodes, and the legend.
  [`/reports/dependencies?card_id=${ids[0]!}`, 4],
];
for (const [path, count] of REPORTS)
  t.test(path.replace(/\?.*/, ''), async (t) => {
    const { rows, drawn } = await iconsOf(path);
    t.ok(rows.length >= 2);
    for (const { type, key, icon } of rows) t.equal(icon, ICONS[type ?? key!], type ?? key!);
    t.equal(drawn.length, count);
    t.equal(new Set(drawn.map(({ outline }) => outline)).size, 2, 'one outline for each type');
  });

t.test('/reports/stakeholders', async (t) => {
  const { rows, drawn } = await iconsOf('/reports/stakeholders');
  for (const { type, icon } of rows) t.equal(icon, ICONS[type!], type!);
  t.equal(drawn.length, rows.filter(({ type }) => type !== 'Provider').length);
});
