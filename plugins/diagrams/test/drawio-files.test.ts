/** Public draw.io files: read, written and read again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DATA_DIR, dataAbsent } from '../../../test/support/app.js';
import { isHtml, readDrawio, writeDrawio, type DrawioFile } from '../drawio/index.js';
import { cellsOf, fileOf, headOf } from './canonical.js';

const folder = join(DATA_DIR, 'drawio');
const names = dataAbsent ? [] : readdirSync(folder).filter((name) => /\.(xml|drawio)$/.test(name));
const read = (bytes: Uint8Array): Extract<ReturnType<typeof readDrawio>, { ok: true }> => {
  const result = readDrawio(bytes);
  if (!result.ok) throw new Error(result.message);
  return result;
};

interface Counts {
  root: string;
  pages: number;
  compressed_pages: number;
  page: Record<string, number>[];
}

const countsOf = ({ cells }: DrawioFile['pages'][number]): Record<string, number> => ({
  cells: cells.length,
  vertices: cells.filter(({ vertex }) => vertex).length,
  edges: cells.filter(({ edge }) => edge).length,
  unconnected_edges: cells.filter(({ edge, source, target }) => edge && (!source || !target)).length,
  object_wrappers: cells.filter(({ wrapper }) => wrapper).length,
});

t.test('the files have as many pages and cells as counted by another program', { skip: dataAbsent }, (t) => {
  const expected = JSON.parse(readFileSync(join(folder, 'expected-counts.json'), 'utf8')) as Record<string, Counts>;
  t.same(Object.keys(expected).sort(), names.sort());
  for (const name of names) {
    const { file } = read(readFileSync(join(folder, name)));
    const { root, pages, compressed_pages, page } = expected[name]!;
    t.equal(file.bare, root === 'mxGraphModel', name);
    t.equal(file.pages.length, pages, name);
    t.equal(file.compressed, compressed_pages > 0, name);
    const counted = page.map(({ html_labels: _, ...others }) => others);
    t.same(file.pages.map(countsOf), counted, name);
  }
  t.end();
});

t.test('the files are written as they were, but for what was removed', { skip: dataAbsent }, (t) => {
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    const { file, removed } = read(bytes);
    const before = fileOf(bytes);
    for (const compressed of [false, true]) {
      const after = fileOf(writeDrawio(file, { compressed }));
      const isPlainHead = removed.every(({ cell_id }) => cell_id !== undefined);
      if (isPlainHead && !file.bare) t.equal(headOf(after), headOf(before), name);
      for (const [at, page] of before.pages.entries()) {
        const changed = new Set(removed.filter((one) => one.page === at).map(({ cell_id }) => cell_id));
        const [old, now] = [cellsOf(page), cellsOf(after.pages[at]!)];
        t.same(
          now.map(({ id }) => id),
          old.map(({ id }) => id),
          name,
        );
        const different = old.filter(({ text }, n) => text !== now[n]!.text);
        t.same(
          different.filter(({ id }) => !changed.has(id)),
          [],
          name,
        );
        const added = now.flatMap(({ style }, n) => {
          const kept = new Set(old[n]!.style.split(';'));
          return style.split(';').filter((part) => !kept.has(part));
        });
        t.same(added, [], name);
      }
    }
  }
  t.end();
});

t.test('what was read is written, read and sanitised again without a change', { skip: dataAbsent }, (t) => {
  for (const name of names) {
    const { file } = read(readFileSync(join(folder, name)));
    const written = writeDrawio(file, { compressed: false });
    const again = read(written);
    t.same(again.removed, [], name);
    t.ok(written.equals(writeDrawio(again.file, { compressed: false })), name);
    t.ok(
      again.file.pages.every(
        (page, at) => page.cells.filter(isHtml).length === file.pages[at]!.cells.filter(isHtml).length,
      ),
    );
  }
  t.end();
});
