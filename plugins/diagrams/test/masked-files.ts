/** A diagram with hidden cards, edits of its masked file, and all that a user can read of a diagram. */
import type { makeUser } from '../../../test/support/app.js';
import { readDrawio, writeDrawio, type DrawioFile } from '../drawio/index.js';
import { drawing, type TestCell } from './drawings.js';

/** Each text of hidden cards in the test drawings contains this word, which no other text does. */
export const SECRET = /zqhush\w*/i;

type User = Awaited<ReturnType<typeof makeUser>>;
type Api = User['api'];

/** The cards of a test drawing: two that all see, and two that the restricted user does not see. */
export interface TestCards {
  shop: string;
  ledger: string;
  oak: string;
  elm: string;
}

const ICON = 'shape=image;image=data:image/png,zqhushimage;fillColor=#123456;html=1;direction=zqhushdirection;';

const shapesOf = ({ shop, ledger, oak, elm }: TestCards): TestCell[] => [
  { id: 'a', label: 'Web shop', card: shop },
  { id: 'b', label: 'Ledger', card: ledger },
  {
    id: `card-${oak}`,
    label: '<i>zqhushOak</i>',
    card: oak,
    style: ICON,
    more: {
      tooltip: 'zqhushtip',
      link: 'https://zqhushlink.example',
      placeholders: '1',
      zqhushnote: 'zqhushattribute',
    },
  },
  { id: 'elm', label: 'zqhushElm', card: elm, style: 'swimlane;html=1;' },
  {
    id: 'e',
    label: 'zqhushpays',
    ends: ['a', `card-${oak}`],
    more: { relationType: 'zqhushtype', tooltip: 'zqhushedgetip' },
  },
  { id: 'el', label: 'zqhushedgelabel', parent: 'e', style: 'edgeLabel;html=1;' },
  { id: 'f', label: 'zqhushbetween', ends: [`card-${oak}`, 'elm'] },
  { id: 'i', label: 'zqhushdetail', parent: `card-${oak}`, more: { tooltip: 'zqhushinnertip' } },
  { id: 'g', style: 'group;', parent: 'elm' },
  { id: 'gi', label: 'zqhushgrouped', parent: 'g' },
  { id: 'x', label: 'Ledger', parent: 'elm', card: ledger },
  { id: 'n', label: 'A note', style: 'shape=note;' },
  { id: 'v', label: 'uses', ends: ['a', 'b'] },
];

/** Two pages with the same ids of cells; on the second one everything is in a group. */
export const secretDrawing = (cards: TestCards): string =>
  drawing(
    shapesOf(cards),
    [{ id: 'box', style: 'group;' }, ...shapesOf(cards)].map((cell) =>
      cell.id === 'box' || cell.parent !== undefined ? cell : { ...cell, parent: 'box' },
    ),
  );

/** @throws if the file cannot be read */
export function opened(xml: string): DrawioFile {
  const read = readDrawio(Buffer.from(xml));
  if (!read.ok) throw new Error(read.message);
  return read.file;
}

/** A file after a change of its model. */
export function edited(xml: string, change: (file: DrawioFile) => void): string {
  const file = opened(xml);
  change(file);
  return writeDrawio(file, { compressed: false }).toString('utf8');
}

/** The places of the cells of `secretDrawing` on its first page, after the two cells of every page. */
export const PLACES = { a: 2, b: 3, oak: 4, elm: 5, e: 6, el: 7, f: 8, i: 9, g: 10, gi: 11, x: 12, n: 13, v: 14 };

async function answer(request: Promise<{ status: number; body: unknown }>): Promise<string> {
  const { status, body } = await request;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** What a user reads of the current version only. */
export async function currentAnswers(api: Api, id: string): Promise<string[]> {
  const path = `/diagrams/${id}`;
  const proposals = await answer(api.post(`${path}/propose-relations`, {}));
  const matches = await answer(api.post(`${path}/match-cards`, { min_score: 0.3 }));
  return [proposals, matches, await answer(api.get(`${path}.drawio`))];
}

/** All that a user can read of a diagram by the routes of the module, as text, by its path. */
export async function allAnswers(api: Api, id: string, cards: readonly string[]): Promise<Map<string, string>> {
  const path = `/diagrams/${id}`;
  const { body: diagram } = await api.get<{ pages: unknown[] }>(path);
  type Versions = { items: { number: number }[] };
  const { body: versions } = await api.get<Versions>(`${path}/versions`, { query: { page_size: 200 } });
  const numbers = versions.items.map(({ number }) => number);
  const paths = ['/diagrams', path, `${path}.drawio`, `${path}/cards`, `${path}/history`, `${path}/versions`];
  paths.push(`/events?subject_id=${id}`, ...cards.map((card) => `/cards/${card}/diagrams`));
  diagram.pages.forEach((_, i) => {
    paths.push(`${path}.svg?page=${i + 1}`, `${path}/drawing?page=${i + 1}`);
  });
  for (const number of numbers) {
    paths.push(`${path}/versions/${number}`, `${path}/versions/${number}.drawio`, `${path}/diff?with=${number}`);
    paths.push(`${path}/versions/${number}.svg`);
  }
  const found = new Map<string, string>();
  for (const one of paths) found.set(one, await answer(api.get(one)));
  for (const [at, text] of (await currentAnswers(api, id)).entries()) found.set(`current ${at}`, text);
  const compressed = await answer(api.get(`${path}.drawio`, { query: { compressed: true } }));
  found.set(
    'compressed',
    edited(compressed, () => undefined),
  );
  return found;
}

/** The answers in which a secret is, with the secret. */
export const leaksIn = (answers: ReadonlyMap<string, string>, also: readonly string[] = []): string[] =>
  [...answers].flatMap(([path, text]) => {
    const found = SECRET.exec(text)?.[0] ?? also.find((one) => text.toLowerCase().includes(one));
    return found === undefined ? [] : [`${path}: ${found}`];
  });
