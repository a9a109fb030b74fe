/** Random edits of the file of a diagram, as a user or a program might make them before the file is saved. */
import fc from 'fast-check';
import { newCell, setUserAttribute, type DrawioCell, type DrawioFile, type DrawioPage } from '../drawio/index.js';

/** What an edit depends on besides the file. */
export interface EditWorld {
  /** Cards that the user sees. */
  seen: readonly string[];
  /** Ids that cells have in the stored file. */
  ids: readonly string[];
}

export interface Edit {
  name: string;
  apply(file: DrawioFile, world: EditWorld): void;
}

const at = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)];
const place = fc.nat({ max: 40 });

interface Around {
  page: DrawioPage;
  file: DrawioFile;
  world: EditWorld;
  other: DrawioCell;
  n: number;
}

/** Changes some cells of a page. @param most how many */
function onCell(name: string, change: (cell: DrawioCell, more: Around) => void, most = 12): fc.Arbitrary<Edit> {
  const chosen = fc.record({
    page: place,
    cells: fc.uniqueArray(place, { minLength: 1, maxLength: most }),
    other: place,
    n: place,
  });
  return chosen.map(({ page: number, cells, other: otherPlace, n }) => ({
    name: `${name} ${JSON.stringify([number, cells, otherPlace, n])}`,
    apply: (file, world) => {
      const page = at(file.pages, number);
      const other = page && at(page.cells, otherPlace);
      if (!page || !other) return;
      for (const cell of new Set(cells.flatMap((one) => at(page.cells, one) ?? [])))
        change(cell, { page, file, world, other, n });
    },
  }));
}

const onFile = (name: string, change: (file: DrawioFile, n: number) => void): fc.Arbitrary<Edit> =>
  place.map((n) => ({ name: `${name} ${n}`, apply: (file) => change(file, n) }));

const STYLES = ['', 'text;html=1;', 'shape=image;', 'edgeLabel;', 'group;', 'html=0;', 'swimlane;container=1;'];
const styleOf = (text: string): DrawioCell['style'] =>
  text.split(';').map((part) => {
    const [key, value] = part.split('=') as [string, string | undefined];
    return value === undefined ? { key } : { key, value };
  });
const copyOf = (cell: DrawioCell): DrawioCell => structuredClone(cell);

/** Any edit. */
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  onCell('vertex', (cell) => (cell.vertex = !cell.vertex)),
  onCell('edge', (cell) => (cell.edge = !cell.edge)),
  onCell('area of line', (cell) => Object.assign(cell, { vertex: cell.edge, edge: cell.vertex })),
  onCell('source', (cell, { other }) => (cell.source = other.id)),
  onCell('target', (cell, { other }) => (cell.target = other.id)),
  onCell('no ends', (cell) => Object.assign(cell, { source: undefined, target: undefined })),
  onCell('parent', (cell, { other }) => (cell.parent = other.id)),
  onCell('parent', (cell, { n }) => (cell.parent = ['1', '0', undefined, 'nothing'][n % 4])),
  onCell('id', (cell, { n }) => (cell.id = `new${n}`)),
  onCell('id of another', (cell, { other }) => (cell.id = other.id)),
  onCell('stored id', (cell, { world, n }) => (cell.id = at(world.ids, n) ?? '')),
  onCell('exchanged ids', (cell, { other }) => ([cell.id, other.id] = [other.id, cell.id])),
  onCell('label', (cell, { n }) => (cell.label = ['Other', undefined, '%tooltip%', '<b>x</b>'][n % 4])),
  onCell('style', (cell, { n }) => (cell.style = styleOf(STYLES[n % STYLES.length]!))),
  onCell('attribute', (cell, { n }) => setUserAttribute(cell, ['placeholders', 'tooltip', 'cardMark'][n % 3]!, '1')),
  onCell('no wrapper', (cell) => (cell.wrapper = undefined)),
  onCell('wrapper', (cell) => (cell.wrapper = { name: 'object', attributes: new Map([['x', 'y']]), children: [] })),
  onCell('card', (cell, { world, n }) => setUserAttribute(cell, 'cardId', at(world.seen, n))),
  onCell('link', (cell, { world, n }) => setUserAttribute(cell, 'link', `/api/v1/cards/${at(world.seen, n)}`)),
  onCell('geometry', (cell, { n }) => cell.geometry?.attributes.set('x', String(n))),
  onCell('no geometry', (cell) => (cell.geometry = undefined)),
  onCell('removed', (cell, { page }) => void page.cells.splice(page.cells.indexOf(cell), 1), 3),
  onCell('moved', (cell, { page, n }) => {
    page.cells.splice(page.cells.indexOf(cell), 1);
    page.cells.splice(n % (page.cells.length + 1), 0, cell);
  }),
  onCell('copied', (cell, { page, n }) => {
    page.cells.splice(n % (page.cells.length + 1), 0, { ...copyOf(cell), ...(n % 2 === 0 ? {} : { id: `copy${n}` }) });
  }),
  onCell('moved to another page', (cell, { page, file, n }) => {
    page.cells.splice(page.cells.indexOf(cell), 1);
    at(file.pages, n)!.cells.push(cell);
  }),
  onCell('shape around', (cell, { page, world, n }) => {
    const user: [string, string][] = n % 2 === 0 ? [['cardId', at(world.seen, n)!]] : [];
    page.cells.push(newCell({ id: `around${n}`, vertex: true, parent: cell.parent ?? '1', user }));
    cell.parent = `around${n}`;
  }),
  onCell('line', (cell, { page, other, n }) => {
    page.cells.push(newCell({ id: `line${n}`, edge: true, parent: '1', source: cell.id, target: other.id }));
  }),
  onCell('label of a line', (cell, { page }) => {
    const line = page.cells.find(({ edge }) => edge);
    if (line) Object.assign(cell, { parent: line.id, vertex: true });
  }),
  onFile('page id', (file, n) => (at(file.pages, n)!.id = ['', 'p1', 'p2', 'other'][n % 4]!)),
  onFile('pages reversed', (file) => void file.pages.reverse()),
  onFile('page removed', (file, n) => void (file.pages.length > 1 && file.pages.splice(n % file.pages.length, 1))),
  onFile('page copied', (file, n) => void file.pages.push(structuredClone(at(file.pages, n)!))),
  onFile('cells of pages exchanged', (file, n) => {
    const [one, other] = [at(file.pages, n)!, at(file.pages, n + 1)!];
    [one.cells, other.cells] = [other.cells, one.cells];
  }),
  onFile('all ids', (file, n) => {
    for (const { cells } of file.pages) for (const cell of cells) if (cell.vertex || cell.edge) cell.id += `-${n}`;
  }),
  onFile('all in one layer', (file) => {
    for (const { cells } of file.pages) for (const cell of cells) if (cell.vertex) cell.parent = '1';
  }),
);

/** Edits that a user makes in an editor without meaning any harm: they change what is visible, and move what is not. */
export const honestEdit: fc.Arbitrary<Edit> = fc.oneof(
  onCell('geometry', (cell, { n }) => {
    if (cell.geometry && cell.vertex) cell.geometry.attributes.set('x', String(n * 10));
  }),
  onFile('a new shape', (file, n) => {
    at(file.pages, n)!.cells.push(newCell({ id: `honest${n}`, label: 'New', vertex: true, parent: '1' }));
  }),
  onCell('a new line', (cell, { page, other, n }) => {
    if (!cell.vertex || !other.vertex) return;
    const line = newCell({ id: `honest-line${n}`, edge: true, parent: '1', source: cell.id, target: other.id });
    page.cells.push(line);
  }),
  onFile('pages reversed', (file) => void file.pages.reverse()),
  onCell('to the front', (cell, { page }) => {
    page.cells.push(...page.cells.splice(page.cells.indexOf(cell), 1));
  }),
  onCell('removed', (cell, { page }) => {
    // Lines and their labels may be removed for all.
    const isLabel = page.cells.some(({ edge, id }) => edge && id === cell.parent);
    if (cell.vertex && !isLabel) page.cells.splice(page.cells.indexOf(cell), 1);
  }),
);
