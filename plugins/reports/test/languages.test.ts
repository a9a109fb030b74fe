/** The texts of reports are in the language of the request: titles, captions, columns, filters and fixed labels. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../../../test/support/app.js';
import { de } from '../words/de.js';
import { en } from '../words/en.js';
import { es } from '../words/es.js';
import { fr } from '../words/fr.js';
import { it } from '../words/it.js';
import { describedFilters, textsOf, type Texts } from '../words/index.js';
import { readSvg } from './svg.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;

const translated = {
  translations: {
    de: { label: 'Anwendung', 'fields.timeModel': 'TIME-Modell', 'fields.timeModel.options.invest': 'Investieren' },
  },
};
expectStatus(await api.patch('/metamodel/types/Application', translated), 200, 'translating');
const ids: string[] = [];
for (const [n, type] of ['Application', 'Application', 'ITComponent', 'BusinessCapability'].entries()) {
  const attributes = type === 'BusinessCapability' ? {} : { costTotalAnnual: 1_000 * (n + 1) };
  const lifecycle = { active: '2012-01-01', endOfLife: n === 0 ? '2022-01-01' : '2040-01-01' };
  const card = {
    type,
    name: `§${n}`,
    lifecycle,
    attributes: { ...attributes, ...(n === 0 && { timeModel: 'invest' }) },
  };
  ids.push(expectStatus(await api.post('/cards', card), 201, type).body.id as string);
}
for (const [type, target] of [
  ['applicationToITComponent', 2],
  ['applicationToBusinessCapability', 3],
] as const)
  expectStatus(await api.post('/relations', { type, source_id: ids[0], target_id: ids[target] }), 201, type);

/** A request of each report, with the title of its picture. */
const REPORTS: readonly [query: string, title: (texts: Texts) => string][] = [
  ['dashboard?', ({ dashboard }) => dashboard.title],
  ['data-quality?', ({ column }) => column.dataQuality],
  ['data-quality?type=ITComponent', ({ column }) => column.dataQuality],
  ['stakeholders?', ({ stakeholders }) => stakeholders.title],
  ['cost?field=costTotalAnnual&group_by=type', ({ by, column }) => by('Total annual cost', column.type)],
  ['cost?field=costTotalAnnual&group_by=parent', ({ by, cost }) => by('Total annual cost', cost.hierarchy)],
  ['portfolio?type=ITComponent&x=lifecycle_phase&y=data_quality&color=approval_status', () => 'IT component: '],
  [
    'matrix?row_type=ITComponent&col_type=Application&relation_type=applicationToITComponent',
    ({ by }) => by('IT component', ''),
  ],
  ['landscape?type=Application&parent_type=BusinessCapability', ({ by }) => by('', 'Business capability')],
  ['lifecycle?type=ITComponent&group_by=approval_status', ({ lifecycle }) => lifecycle.title('IT component')],
  ['end-of-life?', ({ column }) => column.endOfLife],
  [`dependencies?card_id=${ids[0]}&direction=both`, ({ dependencies }) => dependencies.title('§0')],
];
const get = async (query: string, format: string, lang: string): Promise<Response> =>
  await fetch(`${origin}/api/v1/reports/${query}&format=${format}&lang=${lang}`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });

/** All fixed texts with their place. */
function leaves(value: unknown, place = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[place, value]]);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([key, part]) => [...leaves(part, `${place}/${key}`)]));
}

for (const [lang, texts] of Object.entries({ de, fr, es, it }))
  t.test(`pictures and tables in ${lang}`, async (t) => {
    const own = leaves(texts);
    // Labels of the metamodel, which has no translations, are the same in every language.
    const labels = new Set(['Business capability', 'Application', 'IT component', 'Organization']);
    const english = new Set([...leaves(en)].filter(([place, text]) => own.get(place) !== text).map(([, text]) => text));
    for (const text of [...own.values(), ...labels]) english.delete(text);
    t.ok(english.size > 60, `${english.size} texts that differ`);
    for (const [query, title] of REPORTS) {
      const svg = await get(query, 'svg', lang);
      t.equal(svg.status, 200, query);
      const { texts: drawn, problems } = readSvg(await svg.text());
      t.strictSame(problems, [], query);
      const all = drawn.map(({ content }) => content);
      t.ok(all[0]!.includes(title(texts).trim()), `${all[0]} has ${title(texts)}`);
      t.strictSame(
        all.filter((text) => english.has(text)),
        [],
        `English in ${query}`,
      );
      const csv = await (await get(query, 'csv', lang)).text();
      const header = csv.split('\r\n')[0]!.replace('\ufeff', '').split(',');
      t.strictSame(
        header.filter((text) => english.has(text)),
        [],
        `English columns in ${query}`,
      );
    }
  });

t.test('fixed labels of answers and filters in words', async (t) => {
  const { body } = await api.get('/reports/dashboard', { query: { lang: 'de-AT' } });
  t.match(body, {
    by_approval: [{ label: 'Entwurf' }, { label: 'Freigegeben' }],
    by_quality: [{ label: 'Vollständig (≥ 80)' }],
  });
  t.equal((body['by_lifecycle'] as { label: string }[]).at(-1)!.label, 'Keine Phase');
  const filters =
    'type=Application&attributes.timeModel=invest&data_quality[gte]=0&lifecycle.endOfLife[lt]=2030-01-01&status=ACTIVE&has_relation=applicationToITComponent';
  const { texts } = readSvg(await (await get(`dashboard?${filters}`, 'svg', 'de')).text());
  const shown = texts.map(({ content }) => content).join(' ');
  for (const words of [
    'Typ: Anwendung',
    'TIME-Modell: Investieren',
    'Datenqualität ≥ 0',
    'Lebensende < 2030-01-01',
    'Status: aktiv',
  ])
    t.ok(shown.includes(words), words);
  t.ok(shown.includes('1 Karte '), shown);
  const english = readSvg(await (await get(`dashboard?${filters}`, 'svg', 'pl')).text());
  t.ok(english.texts.some(({ content }) => content.startsWith('1 card · type: Application, TIME model: Invest')));
});

t.test('names that no language has are neither texts of filters nor errors', async (t) => {
  const inventory = { field: () => undefined, relationTypes: new Map() };
  const filters = { constructor: 'toString', 'attributes.hasOwnProperty[contains]': 'a,b', 'x[empty]': 'true' };
  t.strictSame(describedFilters(inventory, filters, undefined, en), {
    constructor: 'constructor: toString',
    'attributes.hasOwnProperty[contains]': 'has own property contains a,b',
    'x[empty]': 'x empty',
  });
  for (const lang of ['constructor', '__proto__', 'x', 'DE-ch']) t.equal(textsOf(lang), lang === 'DE-ch' ? de : en);
});
