/** The heat map in the catalogue of reports. */
import t from 'tap';
import { makeUser, registerAdmin, testApp } from '../../../test/support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const PATH = '/reports/risks.heat-map';
for (const [initial_probability, initial_impact] of [
  ['high', 'critical'],
  ['high', 'critical'],
  ['low', 'low'],
  [null, null],
])
  await admin.api.post('/risks', { title: 'A risk', category: 'security', initial_probability, initial_impact });

await t.test('it has the figures of the matrix', async (t) => {
  const queries: Record<string, string>[] = [
    { kind: 'initial' },
    { kind: 'initial', category: 'security', status: 'identified' },
    {},
  ];
  for (const query of queries) {
    const [report, matrix] = [await viewer.api.get(PATH, { query }), await viewer.api.get('/risks/matrix', { query })];
    t.equal(report.status, 200);
    t.same(report.body, matrix.body);
  }
  const csv = await viewer.api.get<string>(PATH, { query: { kind: 'initial', format: 'csv' } });
  t.match(csv.body, /^Probability,Impact,Level,Risks\r\n/);
  t.match(csv.body, /\r\nHigh,Critical,\w+,2\r\n/);
  t.equal(csv.body.trim().split('\r\n').length, 17);
  for (const [format, type] of Object.entries({ xlsx: 'spreadsheetml', svg: 'image/svg+xml', png: 'image/png' })) {
    const { status, headers } = await viewer.api.get(PATH, { query: { kind: 'initial', format } });
    t.equal(status, 200, format);
    t.ok(headers.get('content-type')!.includes(type), format);
  }
  const svg = await viewer.api.get('/risks/matrix', { query: { format: 'svg' } });
  t.match(svg.headers.get('content-type'), /svg/, 'the image of the matrix is there as before');
  const { status, body } = await viewer.api.get(PATH, { query: { kind: 'both', as_of: 'x' } });
  t.same([status, body.errors.map(({ field }) => field).sort()], [422, ['as_of', 'kind']]);
  t.equal((await viewer.api.get(PATH, { query: { as_of: '2026-01-01T00:00:00Z' } })).status, 422);
});

/** Texts of the two images in each language: titles, axes, captions, labels of the scales. */
const IN_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Risiken vor Maßnahmen',
    '4 Risiken',
    'Nicht bewertet: 1',
    'Wahrscheinlichkeit',
    'Auswirkung',
    'Kritisch',
    'Risikomatrix: Anfangsrisiko',
  ],
  fr: [
    'Risques avant mesures',
    '4 risques',
    'Non évalués : 1',
    'Probabilité',
    'Impact',
    'Critique',
    'Matrice des risques : initiaux',
  ],
  es: [
    'Riesgos antes de las medidas',
    '4 riesgos',
    'Sin evaluar: 1',
    'Probabilidad',
    'Impacto',
    'Crítico',
    'Matriz de riesgos: iniciales',
  ],
  it: [
    'Rischi prima delle misure',
    '4 rischi',
    'Non valutati: 1',
    'Probabilità',
    'Impatto',
    'Critico',
    'Matrice dei rischi: iniziali',
  ],
};
const ENGLISH = /\b(risks?|Risks?|Probability|Impact:|Level|Critical|High|Medium|Low|judged|more|mitigation)\b/;

await t.test('its texts are in the language of the request', async (t) => {
  const image = async (path: string, lang: string): Promise<string> =>
    String((await viewer.api.get(path, { query: { kind: 'initial', format: 'svg', lang } })).body);
  const texts = (svg: string): string => [...svg.matchAll(/>([^<]+)</g)].map(([, text]) => text).join('\n');
  for (const [lang, expected] of Object.entries(IN_LANGUAGES)) {
    const [report, matrix] = [texts(await image(PATH, lang)), texts(await image('/risks/matrix', `${lang}-CH`))];
    const [title, counted, notJudged, probability, impact, critical, matrixTitle] = expected as string[];
    for (const text of [title, counted, notJudged, probability, impact, critical])
      t.ok(report.includes(text!), `${lang}: ${text}`);
    for (const text of [matrixTitle, counted, notJudged, `${probability} →`, `${impact} →`, `${critical}: `])
      t.ok(matrix.includes(text!), `${lang}: ${text}`);
    t.notMatch(`${report}\n${matrix}`, ENGLISH, lang);
    const csv = await viewer.api.get<string>(PATH, { query: { kind: 'initial', format: 'csv', lang } });
    t.ok(csv.body.startsWith(`${probability},${impact},`), csv.body.slice(0, 60));
  }
  t.match(texts(await image('/risks/matrix', 'ja')), /Risk matrix: initial/);
  t.equal((await viewer.api.get('/risks/matrix', { query: { lang: 'x' } })).status, 422);

  const levels = { critical: { label: 'Worst of all' } };
  await admin.api.patch('/settings/modules/risks', { settings: { levels } });
  for (const path of [PATH, '/risks/matrix'])
    t.match(texts(await image(path, 'de')), /Worst of all[^]*Gering/, 'a label that was set stays as it is');
  await admin.api.patch('/settings/modules/risks', { settings: { levels: null } });
});

await t.test('it is there for those who see risks, while the module is enabled', async (t) => {
  await admin.api.post('/roles', { key: 'reader', label: 'Reader', permissions: ['reports.view', 'cards.view'] });
  const reader = await makeUser(admin, 'reader');
  const listed = async ({ api }: typeof reader) =>
    (await api.get('/reports', { query: { page_size: '200' } })).body.items.some(({ id }) => id === 'risks.heat-map');
  t.equal(await listed(viewer), true);
  t.equal(await listed(reader), false);
  t.equal((await reader.api.get(PATH)).status, 404);
  t.equal((await admin.api.patch('/settings/modules/risks', { enabled: false })).status, 200);
  t.equal(await listed(viewer), false);
  t.equal((await viewer.api.get(PATH)).status, 404);
});
