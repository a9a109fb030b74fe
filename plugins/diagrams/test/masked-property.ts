/** Properties of diagrams with hidden cards under random edits, for a short and a long test. */
import fc from 'fast-check';
import t from 'tap';
import { makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import { writeDrawio } from '../drawio/index.js';
import { anyEdit, honestEdit, type Edit } from './masked-commands.js';
import { allAnswers, currentAnswers, leaksIn, opened, secretDrawing, SECRET } from './masked-files.js';

/** Who does what to the diagram. */
type Step =
  | { kind: 'save'; edits: Edit[]; compressed: boolean; of: number }
  | { kind: 'match'; cell: number; card: number; isStored: boolean }
  | { kind: 'restore'; version: number }
  | { kind: 'seen by all' }
  | { kind: 'generate' }
  | { kind: 'other diagram' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      edits: fc.array(anyEdit, { minLength: 1, maxLength: 12 }),
      compressed: fc.boolean(),
      of: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('match' as const),
      cell: fc.nat({ max: 40 }),
      card: fc.nat({ max: 1 }),
      isStored: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), version: fc.nat({ max: 20 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'seen by all' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'generate' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'other diagram' as const }) },
);

const nameOf = (one: Step): string => (one.kind === 'save' ? one.edits.map(({ name }) => name).join(', ') : one.kind);

interface Runs {
  random: number;
  honest: number;
}

/** Adds the tests. @param runs how often each property is tried */
export async function testProperties({ random, honest }: Runs): Promise<void> {
  const { origin, close } = await testApp();
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
  const content = secretDrawing(cards);
  const seen = [cards.shop, cards.ledger];
  const world = { seen, ids: [...new Set(opened(content).pages.flatMap(({ cells }) => cells.map(({ id }) => id)))] };
  // The user types the stored ids, which a user who does not see the cards cannot know.
  const isTyped = world.ids.filter((id) => id.startsWith('card-'));
  const harmless = (texts: ReadonlyMap<string, string>) =>
    leaksIn(
      new Map([...texts].map(([path, text]) => [path, isTyped.reduce((all, id) => all.replaceAll(id, ''), text)])),
    );

  const created = async (by = member, xml = content): Promise<string> => {
    const { status, body } = await by.api.post('/diagrams', { name: 'Suppliers', content: xml });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  };
  const fileOf = async (id: string, by = narrow, suffix = '') =>
    (await by.api.get<string>(`/diagrams/${id}${suffix}.drawio`)).body;
  const save = async (id: string, xml: string, by = narrow): Promise<void> => {
    const { status, body } = await by.api.patch(`/diagrams/${id}`, { content: xml });
    if (status !== 200 && status !== 422) throw new Error(JSON.stringify(body));
  };

  /** Does one step to a diagram. @returns the diagrams that it made */
  async function done(id: string, one: Step): Promise<string[]> {
    const { body } = await narrow.api.get<{ content_version: number }>(`/diagrams/${id}`);
    const number = body.content_version;
    switch (one.kind) {
      case 'save': {
        // The file may have been read some versions ago.
        const file = opened(await fileOf(id, narrow, `/versions/${Math.max(1, number - one.of)}`));
        for (const { apply } of one.edits) apply(file, world);
        await save(id, writeDrawio(file, { compressed: one.compressed }).toString('utf8'));
        return [];
      }
      case 'match': {
        const file = opened(await fileOf(id, one.isStored ? member : narrow));
        const cell = file.pages[0]!.cells[one.cell % file.pages[0]!.cells.length];
        const wanted = { page: 0, cell_id: cell?.id || 'x', card_id: seen[one.card] };
        const { status } = await narrow.api.post(`/diagrams/${id}/match-cards`, { matches: [wanted] });
        if (status !== 200 && status !== 422) throw new Error(`match-cards: ${status}`);
        return [];
      }
      case 'restore': {
        const { status } = await narrow.api.post(`/diagrams/${id}/versions/${1 + (one.version % number)}/restore`);
        if (status !== 200) throw new Error(`restore: ${status}`);
        return [];
      }
      case 'seen by all': {
        const file = opened(await fileOf(id, member));
        file.pages[0]!.cells.find(({ id: cell }) => cell === 'n')?.geometry?.attributes.set('x', String(number));
        await save(id, writeDrawio(file).toString('utf8'), member);
        return [];
      }
      case 'generate': {
        const { status } = await narrow.api.post('/diagrams/generate', { root_card_id: cards.shop, name: 'Generated' });
        if (status !== 201) throw new Error(`generate: ${status}`);
        return [];
      }
      case 'other diagram':
        return [await created(narrow, await fileOf(id))];
    }
  }

  t.test('no edits of a masked file bring hidden content to the user who made them', async (t) => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const ids = [await created()];
        for (const one of steps) {
          ids.push(...(await done(ids[0]!, one)));
          const current = new Map((await currentAnswers(narrow.api, ids[0]!)).map((text, i) => [String(i), text]));
          const found = harmless(current);
          if (found.length > 0) throw new Error(`${nameOf(one)}: ${found.join('; ')}`);
        }
        for (const id of ids) {
          const found = harmless(await allAnswers(narrow.api, id, seen));
          if (found.length > 0) throw new Error(`${steps.map(nameOf).join('; ')}: ${found.join('; ')}`);
        }
        changed += Number(steps.some(({ kind }) => kind === 'save'));
      }),
      { numRuns: random },
    );
    t.ok(changed > 0);
  });

  /** What a user who sees all cards reads of them, sorted: texts, without places and connections. */
  const secretsOf = (xml: string): string[] =>
    opened(xml)
      .pages.flatMap(({ cells }) =>
        cells.flatMap(({ id, label, wrapper, style, vertex, edge, children, attributes }) => {
          const text = JSON.stringify([
            id,
            label,
            [...(wrapper?.attributes ?? [])],
            style,
            vertex,
            edge,
            children,
            [...attributes],
          ]);
          return SECRET.test(text) ? [text] : [];
        }),
      )
      .sort();

  t.test('an honestly edited masked file keeps all hidden content', async (t) => {
    const id = await created();
    const before = await fileOf(id, member);
    await save(id, await fileOf(id));
    t.equal(await fileOf(id, member), before, 'a file that was not changed is the same');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(honestEdit, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (saves) => {
          const edited = await created();
          for (const edits of saves) {
            const file = opened(await fileOf(edited));
            for (const { apply } of edits) apply(file, world);
            await save(edited, writeDrawio(file).toString('utf8'));
            const now = secretsOf(await fileOf(edited, member));
            if (JSON.stringify(now) !== JSON.stringify(secretsOf(before)))
              throw new Error(`${now.join('\n')}\nbefore:\n${secretsOf(before).join('\n')}`);
          }
        },
      ),
      { numRuns: honest },
    );
  });
}
