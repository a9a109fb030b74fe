/** Content of hidden cards stays masked, whatever the user changes in the masked file before saving it. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp } from '../../../test/support/app.js';
import { newCell, type DrawioCell, type DrawioFile } from '../drawio/index.js';
import { allAnswers, edited, leaksIn, opened, PLACES, secretDrawing } from './masked-files.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
await admin.api.post('/roles', {
  key: 'narrow',
  label: 'Narrow',
  permissions: ['cards.view', 'relations.view', 'diagrams.view', 'diagrams.manage', 'events.audit'],
  types: { Provider: { 'cards.view': false } },
});
const [member, narrow] = await Promise.all([makeUser(admin, 'member'), makeUser(admin, 'narrow')]);
const card = async (name: string, type = 'Application') => (await admin.api.post('/cards', { type, name })).body.id;
const cards = {
  shop: await card('Web shop'),
  ledger: await card('Ledger'),
  oak: await card('zqhushOak', 'Provider'),
  elm: await card('zqhushElm', 'Provider'),
};
const HIDDEN = [cards.oak, cards.elm];
const created = async (content = secretDrawing(cards)): Promise<string> => {
  const { status, body } = await member.api.post('/diagrams', { name: 'Suppliers', content });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
};
const fileOf = async (id: string, by = narrow) => (await by.api.get<string>(`/diagrams/${id}.drawio`)).body;
const saved = async (id: string, content: string, by = narrow) => {
  const { status, body } = await by.api.patch(`/diagrams/${id}`, { content });
  if (status !== 200) throw new Error(JSON.stringify(body));
};
const leaks = async (id: string) => leaksIn(await allAnswers(narrow.api, id, [cards.shop, cards.ledger]), HIDDEN);
const cellAt = (file: DrawioFile, place: keyof typeof PLACES): DrawioCell => file.pages[0]!.cells[PLACES[place]]!;
const anEdit = (change: (file: DrawioFile) => void) => async (id: string) =>
  saved(id, edited(await fileOf(id), change));

const EDITS: Record<string, (id: string) => Promise<void>> = {
  'nothing is changed': anEdit(() => undefined),
  'a shape is no vertex any more': anEdit((file) => {
    for (const { cells } of file.pages) for (const cell of cells) cell.vertex = false;
  }),
  'a line is an area': anEdit((file) => {
    Object.assign(cellAt(file, 'e'), { edge: false, vertex: true, source: undefined, target: undefined });
  }),
  'a line connects other shapes': anEdit((file) => {
    const [a, b] = [cellAt(file, 'a').id, cellAt(file, 'b').id];
    for (const place of ['e', 'f'] as const) Object.assign(cellAt(file, place), { source: a, target: b });
  }),
  'a line has no ends': anEdit((file) => {
    Object.assign(cellAt(file, 'e'), { source: undefined, target: undefined });
  }),
  'texts are moved out of the shape': anEdit((file) => {
    for (const place of ['i', 'g', 'gi', 'el'] as const) cellAt(file, place).parent = '1';
  }),
  'texts are moved into the shape of another card': anEdit((file) => {
    for (const place of ['i', 'gi', 'el'] as const) cellAt(file, place).parent = cellAt(file, 'a').id;
  }),
  'a text becomes the label of a line between visible cards': anEdit((file) => {
    Object.assign(cellAt(file, 'v'), { label: undefined });
    cellAt(file, 'i').parent = cellAt(file, 'v').id;
  }),
  'shapes of visible cards are put around texts': anEdit((file) => {
    const around = newCell({
      id: 'around',
      vertex: true,
      parent: cellAt(file, 'oak').id,
      user: [['cardId', cards.shop]],
    });
    file.pages[0]!.cells.push(around);
    cellAt(file, 'i').parent = 'around';
  }),
  'texts are matched with cards': async (id) => {
    for (const cell of [cellAt(opened(await fileOf(id)), 'i').id, 'i', 'gi', 'el'])
      t.match(
        await narrow.api.post(`/diagrams/${id}/match-cards`, {
          matches: [{ page: 0, cell_id: cell, card_id: cards.shop }],
        }),
        { status: 422, body: { errors: [{ field: '/matches/0', reason: /names no shape/ }] } },
        cell,
      );
  },
  'cells have other attributes': anEdit((file) => {
    for (const { cells } of file.pages)
      for (const cell of cells)
        cell.wrapper = { name: 'UserObject', attributes: new Map([['cardId', cards.shop]]), children: [] };
  }),
  'all cells have other ids': anEdit((file) => {
    for (const { cells } of file.pages)
      for (const cell of cells) if (cell.vertex || cell.edge) cell.id = `other-${cell.id}`;
  }),
  'cells are there twice': anEdit((file) => {
    const { cells } = file.pages[0]!;
    cells.push(...cells.filter(({ vertex, edge }) => vertex || edge).map((cell) => ({ ...cell, parent: '1' })));
  }),
  'shapes of visible cards have the ids of hidden ones': anEdit((file) => {
    const shape = (id: string) => newCell({ id, vertex: true, parent: '1', user: [['cardId', cards.shop]] });
    file.pages[0]!.cells.push(shape('elm'), shape('i'), shape(cellAt(file, 'oak').id));
  }),
  'pages are exchanged': anEdit((file) => {
    const [first, second] = file.pages as [DrawioFile['pages'][0], DrawioFile['pages'][0]];
    [first.cells, second.cells] = [second.cells, first.cells];
  }),
  'pages have other ids': anEdit((file) => {
    file.pages.forEach((page, i) => (page.id = `new-${i}`));
    file.pages.reverse();
  }),
  'an earlier version is restored after a change': async (id) => {
    await EDITS['texts are moved out of the shape']!(id);
    await saved(
      id,
      edited(await fileOf(id), (file) => void file.pages[0]!.cells.splice(PLACES.n, 1)),
    );
    t.equal((await narrow.api.post(`/diagrams/${id}/versions/2/restore`)).status, 200);
  },
  'a user who sees the cards saves a file that was read before a line was removed': async (id) => {
    await EDITS['a line connects other shapes']!(id);
    const read = await fileOf(id, member);
    await saved(
      id,
      edited(await fileOf(id), (file) => void file.pages[0]!.cells.splice(PLACES.e, 1)),
    );
    await saved(id, read, member);
  },
  'a user who sees the cards saves a file that was read before a version was restored': async (id) => {
    await EDITS['a line connects other shapes']!(id);
    const read = await fileOf(id, member);
    t.equal((await narrow.api.post(`/diagrams/${id}/versions/1/restore`)).status, 200);
    await saved(id, read, member);
  },
  'a user who sees the cards saves a file that was read before its pages got other ids': async (id) => {
    await EDITS['a line connects other shapes']!(id);
    const read = await fileOf(id, member);
    await EDITS['pages have other ids']!(id);
    await saved(id, read, member);
  },
  'a copy of a masked cell is before it': async (id) => {
    const first = (file: DrawioFile) => (file.pages[0]!.cells[0]!.id = cellAt(file, 'e').id);
    await saved(id, edited(await fileOf(id), first));
    await saved(id, await fileOf(id, member), member);
    t.notMatch(await fileOf(id, member), /"hidden-/, 'no id of a masked cell is stored');
  },
  'a user who sees the cards saves the masked file': async (id) => {
    await saved(
      id,
      edited(await fileOf(id), (file) => (cellAt(file, 'n').label = 'Another note')),
      member,
    );
  },
  'a user who sees the cards saves after the change': async (id) => {
    await EDITS['a line connects other shapes']!(id);
    await EDITS['texts are moved out of the shape']!(id);
    await saved(
      id,
      edited(await fileOf(id, member), (file) => (cellAt(file, 'n').label = 'Another note')),
      member,
    );
  },
};

for (const [name, edit] of Object.entries(EDITS))
  t.test(`hidden content stays masked when ${name}`, async (t) => {
    const id = await created();
    await edit(id);
    t.strictSame(await leaks(id), []);
    const kept = new Set((await fileOf(id, member)).match(/zqhush\w+/gi));
    for (const word of [
      'zqhushOak',
      'zqhushElm',
      'zqhushtip',
      'zqhushattribute',
      'zqhushdetail',
      'zqhushgrouped',
      'zqhushimage',
    ])
      t.ok(kept.has(word), `${word} is kept`);
  });

t.test(
  'a file that was masked when it was read keeps hidden content, although its user sees it when saving',
  async (t) => {
    const id = await created();
    const before = await fileOf(id, member);
    const masked = await fileOf(id);
    const setTypes = async (types: object) =>
      t.equal((await admin.api.patch('/roles/narrow', { types })).status, 200, JSON.stringify(types));
    await setTypes({ Provider: { 'cards.view': true } });
    t.match(await fileOf(id), 'zqhushOak');
    await saved(
      id,
      edited(masked, (file) => (cellAt(file, 'i').parent = '1')),
    );
    t.equal(before.match(/zqhush/g)!.length, (await fileOf(id, member)).match(/zqhush/g)!.length);
    await setTypes({ Provider: { 'cards.view': false } });
    t.strictSame(await leaks(id), [], 'what was moved without being seen is still masked');
    const { status, body } = await narrow.api.post('/diagrams', { name: 'Another', content: masked });
    t.equal(status, 201);
    t.notMatch(await fileOf(body.id, member), /zqhush/, 'masked cells of another diagram have no content');
  },
);

t.test('content of several cards is masked for each who does not see one of them', async (t) => {
  await admin.api.post('/roles', {
    key: 'other',
    label: 'Other',
    permissions: ['cards.view', 'relations.view', 'diagrams.view', 'diagrams.manage', 'events.audit'],
    types: { ITComponent: { 'cards.view': false } },
  });
  const other = await makeUser(admin, 'other');
  const box = await card('zqhushBox', 'ITComponent');
  const id = await created(secretDrawing({ ...cards, elm: box }));
  await saved(
    id,
    edited(await fileOf(id), (file) => {
      const [a, b] = [cellAt(file, 'a').id, cellAt(file, 'b').id];
      Object.assign(cellAt(file, 'f'), { source: a, target: b });
    }),
  );
  for (const [by, words] of [
    [narrow, ['zqhushbetween', 'zqhushdetail']],
    [other, ['zqhushbetween', 'zqhushgrouped', 'zqhushBox']],
  ] as const) {
    const texts = [...(await allAnswers(by.api, id, [cards.shop])).values()].join();
    for (const word of words) t.equal(texts.includes(word), false, word);
  }
  t.match(await fileOf(id, member), 'zqhushbetween');
});

t.test('parts of hidden cells that were removed are listed for users who see the cells', async (t) => {
  const secret = (
    id: string,
  ): string => `<UserObject label="x" cardId="${cards.oak}" ${id}link="javascript:zqhushCall()">
    <mxCell vertex="1" parent="1"><mxGeometry as="geometry"><zqhushElement/></mxGeometry></mxCell></UserObject>`;
  const page = `<diagram name="Page"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
    <UserObject label="Web shop" id="2" cardId="${cards.shop}" link="javascript:own()"><mxCell vertex="1" parent="1"/></UserObject>`;
  const id = await created(
    `<mxfile>${page}</root></mxGraphModel></diagram>${page}${secret('id="2" ')}${secret('')}</root></mxGraphModel></diagram></mxfile>`,
  );
  t.strictSame(await leaks(id), []);
  type Version = { removed: { what: string }[] };
  const removedFor = async (by: typeof narrow) =>
    (await by.api.get<Version>(`/diagrams/${id}/versions/1`)).body.removed.map(({ what }) => what).join();
  t.equal((await removedFor(narrow)).match(/own/g)?.length, 2, 'those of visible cells');
  t.equal((await removedFor(member)).match(/zqhush/g)?.length, 4);
});

t.test('a file with as many cells as are allowed is refused where there are hidden ones besides', async (t) => {
  const id = await created();
  const cells = Array.from({ length: 19_990 }, (_, i) => `<mxCell id="s${i}" vertex="1" parent="1"/>`).join('');
  const content = `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells}</root></mxGraphModel>`;
  t.match(await narrow.api.patch(`/diagrams/${id}`, { content }), {
    status: 422,
    body: { code: 'diagrams_file_refused', reason: 'too_many_cells' },
  });
  t.match(await fileOf(id, member), 'zqhushOak');
});

t.test(
  'lines for which no cards are recorded, as in versions of earlier releases, are not told of where a card is hidden',
  async (t) => {
    const shape = (id: string, of: string, parent: string): string =>
      `<UserObject label="x" cardId="${of}" id="${id}"><mxCell vertex="1" parent="${parent}"><mxGeometry as="geometry"/></mxCell></UserObject>`;
    const fileWith = (line: string): string => `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
    ${shape('h', cards.oak, '1')}${shape('a', cards.shop, 'h')}${shape('b', cards.ledger, 'h')}${line}</root></mxGraphModel>`;
    const id = await created(
      fileWith('<mxCell id="zqhushline" value="zqhushlabel" edge="1" parent="h" source="a" target="b"/>'),
    );
    await sql(
      database,
      `update diagrams_versions set links = (select jsonb_agg(l - 'cards') from jsonb_array_elements(links) l) where diagram_id = $1`,
      [id],
    );
    t.strictSame(await leaks(id), []);
    await saved(id, fileWith(''), member);
    t.strictSame(await leaks(id), []);
    const { body } = await member.api.get(`/diagrams/${id}/diff?with=1`);
    t.match(JSON.stringify(body), 'zqhushlabel', 'who sees the card is told');
  },
);

t.test('content of a deleted card stays masked when a user who sees it saves the diagram', async (t) => {
  const oak = await card('zqhushAsh', 'Provider');
  const id = await created(secretDrawing({ ...cards, oak }));
  t.equal((await admin.api.del(`/cards/${oak}`)).status, 204);
  t.strictSame(await leaks(id), []);
  for (const note of ['Moved', 'Moved again']) {
    await saved(id, (await fileOf(id, member)).replace(/A note|Moved/, note), member);
    t.strictSame(await leaks(id), []);
    t.match(await fileOf(id, member), /zqhushOak[^]*zqhushdetail/, 'it is still shown to others');
  }
});

t.test('a moved masked cell keeps what its geometry has besides numbers', async (t) => {
  const id = await created(`<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
    <UserObject label="zqhushOak" cardId="${cards.oak}" id="h"><mxCell vertex="1" parent="1">
      <mxGeometry x="1" y="2" width="30" height="20" note="zqhushnote" as="geometry"><mxRectangle width="77" as="alternateBounds"/></mxGeometry>
    </mxCell></UserObject></root></mxGraphModel>`);
  t.strictSame(await leaks(id), []);
  await saved(id, (await fileOf(id)).replace(' x="1"', ' x="333"'));
  t.match(
    await fileOf(id, member),
    /<mxGeometry (?=[^>]*x="333")(?=[^>]*y="2")(?=[^>]*note="zqhushnote")[^>]*>\s*<mxRectangle width="77"/,
  );
});
