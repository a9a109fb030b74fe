/** Templates that ship with the module: valid files in each language, from which versions are made, until a user changes them. */
import t from 'tap';
import { makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import { drawBpmn } from '../drawing/index.js';
import { shippedFile, SHIPPED } from '../templates/shipped.js';
import { SHIPPED_TEXTS } from '../templates/shipped-texts.js';
import type { Language } from '../words/index.js';
import { all, definitionsOf, isOverlapping, labelBoxes, treeOf } from './drawing-support.js';
import { read } from './samples.js';
import { Flow, flow, type Version } from './support.js';

const LANGUAGES = Object.keys(SHIPPED_TEXTS) as Language[];

t.test('their files are valid BPMN with a diagram, and have all texts of each language', (t) => {
  for (const key of SHIPPED)
    for (const language of LANGUAGES) {
      const bytes = shippedFile(key, language);
      const reading = read(bytes);
      t.strictSame(reading.problems, [], `${key} in ${language}`);
      t.ok(reading.has_interchange);
      const texts = SHIPPED_TEXTS[language][key];
      t.strictSame(Object.keys(texts.steps), Object.keys(SHIPPED_TEXTS.en[key].steps), 'the steps of all languages');
      for (const text of [texts.name, ...texts.lanes, ...Object.values(texts.steps)])
        t.ok(bytes.includes(`name="${text}"`), text);
      const { svg, notDrawn } = drawBpmn(definitionsOf(bytes))!;
      t.strictSame(notDrawn, []);
      const labels = labelBoxes(treeOf(svg));
      for (const [i, one] of labels.entries())
        for (const other of labels.slice(i + 1)) t.notOk(isOverlapping(one.box, other.box), `${one.id}, ${other.id}`);
      t.ok(all(treeOf(svg)).length > 30);
    }
  t.end();
});

interface Template {
  id: string;
  name: string;
  version: number;
  shipped: string | null;
}
const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member] = await Promise.all([makeUser(admin, 'viewer'), makeUser(admin, 'member')]);

t.test('they are listed, read in a language, used, replaced and deleted', async (t) => {
  const list = async (): Promise<Template[]> =>
    (await viewer.api.get<{ items: Template[] }>('/bpm/templates')).body.items;
  const [fourEyes, incident] = await list();
  t.match(
    [fourEyes, incident],
    [
      { name: 'Approval with four eyes', shipped: 'four_eyes' },
      { name: 'Incident handling', shipped: 'incident' },
    ],
  );
  t.equal((await viewer.api.get(`/bpm/templates?search=specialists`)).body['total'], 1);
  const path = `/bpm/templates/${fourEyes!.id}.bpmn`;
  const english = await viewer.api.get<string>(path);
  t.equal(english.body, shippedFile('four_eyes', 'en').toString());
  const german = await viewer.api.get<string>(path, { query: { lang: 'de-CH' } });
  t.equal(german.body, shippedFile('four_eyes', 'de').toString());
  t.not(german.headers.get('etag'), english.headers.get('etag'));

  const p = new Flow((await admin.api.post('/cards', { type: 'BusinessProcess', name: 'Requests' })).body.id);
  const made = await member.api.post<Version>(p.versions, { from: 'template', template_id: fourEyes!.id });
  t.match(made, {
    status: 201,
    body: { title: 'Approval with four eyes', source: 'template', element_count: 10, error_count: 0 },
  });
  t.equal((await p.move(member, made.body.id, 'submit')).status, 200);

  t.equal((await admin.api.patch('/settings', { locales: ['fr', 'en'] })).status, 200);
  const french = await member.api.post<Version>(
    new Flow((await admin.api.post('/cards', { type: 'BusinessProcess', name: 'Incidents' })).body.id).versions,
    { from: 'template', template_id: incident!.id },
  );
  t.match(french, { status: 201, body: { title: 'Gestion des incidents' } });

  const ORDER = flow({ Check: 'Check the order' });
  t.match(await member.api.send('PUT', path, ORDER, { headers: { 'content-type': 'text/xml' } }), {
    status: 200,
    body: { shipped: null, element_count: 3, version: 2 },
  });
  t.equal((await viewer.api.get<string>(path, { query: { lang: 'de' } })).body, ORDER);
  await member.api.send('DELETE', `/bpm/templates/${incident!.id}`);
  t.strictSame(
    (await list()).map(({ id }) => id),
    [fourEyes!.id],
  );
});
