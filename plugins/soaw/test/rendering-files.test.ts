/** Rendered files as a whole: their parts, images and amounts, and the same bytes for the same document. */
import t from 'tap';
import { renderDocx } from '../rendering/docx.js';
import { renderHtml } from '../rendering/html.js';
import { renderMarkdown } from '../rendering/markdown.js';
import type { RenderedDocument } from '../rendering/model.js';
import { Renderings, WorkerQueueError } from '../rendering/renderings.js';
import { all, markupOf, parseXml, partsOf, textOfHtml, timesOf } from './rendering-readers.js';
import { document, LOGO_SVG, markdown, migration, section } from './rendering-samples.js';

t.test('logos', async (t) => {
  const svg = new TextEncoder().encode(LOGO_SVG);
  const drawn = partsOf(await renderDocx(document({ logo: { type: 'image/svg+xml', bytes: svg } })));
  const png = new Uint8Array(Buffer.from(drawn.get('word/media/logo.png')!, 'latin1'));
  t.equal(Buffer.from(png).subarray(1, 4).toString(), 'PNG', 'a drawing becomes an image');
  // A frame header with 10 by 30 pixels, after a segment.
  const jpeg = Buffer.from('ffd8ffe000040000ffc0000b08001e000a0101110000', 'hex');
  const formats: [
    type: NonNullable<RenderedDocument['logo']>['type'],
    bytes: Uint8Array,
    part: string | undefined,
    extent?: [string, string],
  ][] = [
    ['image/png', png, 'word/media/logo.png', ['2160000', '720900']],
    ['image/jpeg', jpeg, 'word/media/logo.jpeg', ['300000', '900000']],
    ['image/webp', Buffer.from('RIFFxxxxWEBP'), undefined],
    ['image/png', Buffer.from('no image'), undefined],
    ['image/jpeg', Buffer.from('ffd8', 'hex'), undefined],
    ['image/jpeg', Buffer.alloc(2_000), undefined],
    ['image/svg+xml', Buffer.from('<svg'), undefined],
    ['image/svg+xml', Buffer.alloc(0), undefined],
  ];
  for (const [type, bytes, part, extent] of formats) {
    const parts = partsOf(await renderDocx(document({ logo: { type, bytes } })));
    t.equal(
      [...parts.keys()].find((name) => name.includes('media')),
      part,
      type,
    );
    t.equal(parts.get('word/_rels/document.xml.rels')!.includes('/image'), part !== undefined);
    const { cx, cy } = all(parseXml(parts.get('word/document.xml')!), 'wp:extent')[0]?.attributes ?? {};
    t.strictSame(part === undefined ? undefined : [cx, cy], extent, 'in its proportions');
    t.ok(
      renderHtml(document({ logo: { type, bytes } })).includes(
        `src="data:${type};base64,${Buffer.from(bytes).toString('base64')}"`,
      ),
    );
  }
});

t.test('parts, relationships and ids agree', async (t) => {
  const texts =
    'a\n\n1. x\n2. [l](http://a.example/?b&c)\n\n[m](mailto:a@b.example) [again](http://a.example/?b&c)\n\n7) seven';
  const parts = partsOf(
    await renderDocx(migration({ sections: [...migration().sections, section(markdown(texts), markdown(texts))] })),
  );
  for (const [name, content] of parts) if (!name.includes('media')) parseXml(content);
  const body = parseXml(parts.get('word/document.xml')!);
  const relations = all(parseXml(parts.get('word/_rels/document.xml.rels')!), 'Relationship').map(
    ({ attributes }) => attributes,
  );
  const ids = relations.map(({ Id }) => Id!);
  t.equal(new Set(ids).size, ids.length);
  const used = Array.from(parts.get('word/document.xml')!.matchAll(/ r:(?:id|embed)="(\w+)"/g), ([, id]) => id!);
  t.strictSame(
    [...new Set(used)].filter((id) => !ids.includes(id)),
    [],
  );
  for (const { Target, TargetMode } of relations)
    t.ok(TargetMode === 'External' || parts.has(`word/${Target}`), String(Target));
  t.strictSame(
    relations.filter(({ TargetMode }) => TargetMode).map(({ Target }) => Target),
    ['https://intranet.example.com/decisions/ADR-0042', 'http://a.example/?b&c', 'mailto:a@b.example'],
  );
  const overrides = all(parseXml(parts.get('[Content_Types].xml')!), 'Override').map(({ attributes }) =>
    attributes.PartName!.slice(1),
  );
  t.strictSame(
    overrides.filter((name) => !parts.has(name)),
    [],
  );
  const lists = all(parseXml(parts.get('word/numbering.xml')!), 'w:num').map(({ attributes }) => attributes['w:numId']);
  const numbers = [...new Set(all(body, 'w:numId').map(({ attributes }) => attributes['w:val']))];
  t.strictSame(
    numbers.filter((id) => id !== '0' && !lists.includes(id)),
    [],
  );
  const starts = all(parseXml(parts.get('word/numbering.xml')!), 'w:startOverride').map(
    ({ attributes }) => attributes['w:val'],
  );
  t.strictSame(starts, ['1', '1', '7', '1', '7']);
  const styles = new Set(
    all(parseXml(parts.get('word/styles.xml')!), 'w:style').map(({ attributes }) => attributes['w:styleId']),
  );
  const named = ['w:pStyle', 'w:rStyle', 'w:tblStyle'].flatMap((name) =>
    all(body, name).map(({ attributes }) => attributes['w:val']),
  );
  t.strictSame(
    [...new Set(named)].filter((id) => !styles.has(id)),
    [],
  );
  t.equal([...parts.keys()][0], '[Content_Types].xml');
});

t.test('the same document gives the same bytes, also in the thread and at any time', async (t) => {
  const renderings = new Renderings();
  t.teardown(() => renderings.close());
  const doc = migration();
  const docx = Buffer.from(await renderDocx(doc));
  // The first day that ZIP knows.
  t.strictSame([...timesOf(docx)], ['0 33']);
  t.ok(docx.equals(await renderDocx(migration())));
  t.ok(docx.equals(await renderings.render('docx', doc)));
  t.equal((await renderings.render('html', doc)).toString(), renderHtml(migration()));
  t.equal((await renderings.render('md', doc)).toString(), renderMarkdown(migration()));
  t.notOk(docx.equals(await renderDocx(migration({ revision: 3 }))));
  await t.rejects(renderings.render('docx', { ...doc, sections: null as never }), WorkerQueueError);
});

t.test('no amount in a document with amounts withheld', async (t) => {
  const amounts = /1.?250.?000|310.?500|480.?000|95.?000|75.?250|12.?000|1.?805.?250|417.?500/;
  const texts = async (doc: RenderedDocument): Promise<string[]> => [
    [...partsOf(await renderDocx(doc))]
      .filter(([name]) => name !== 'word/styles.xml' && !name.includes('media'))
      .map(([, xml]) => xml.replace(/<[^>]*>/g, ' '))
      .join(' '),
    textOfHtml(renderHtml(doc)),
    renderMarkdown(doc),
  ];
  for (const text of await texts(migration())) t.match(text, amounts);
  const [docx, html, md] = await texts(migration({}, false));
  for (const text of [docx!, html!, md!]) {
    t.notMatch(text, amounts);
    t.equal(text.match(/withheld/g)?.length, 9, 'eight cells and the notice');
  }
});

t.test('one HTML file without scripts and other files', async (t) => {
  const html = renderHtml(migration());
  const { addresses, attributes, tags } = markupOf(html);
  t.strictSame(
    tags.filter((tag) => ['script', 'link', 'iframe', 'object', 'form', 'base'].includes(tag)),
    [],
  );
  t.strictSame(
    attributes.filter((name) => name === 'style' || name.startsWith('on')),
    [],
  );
  t.strictSame(
    addresses.filter(
      (address) => !address.startsWith('#heading-') && !address.startsWith('data:image/svg+xml;base64,'),
    ),
    ['https://intranet.example.com/decisions/ADR-0042'],
  );
  t.match(html, /^<!doctype html>\n<html lang="en-GB">/);
  const order = Array.from(html.matchAll(/<h(\d)[^>]*>/g), ([, level]) => Number(level));
  t.equal(order.filter((level) => level === 1).length, 1);
  t.ok(
    order.every((level, index) => index === 0 || level <= order[index - 1]! + 1),
    'no level of headings is skipped',
  );
  const anchors = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
  t.equal(anchors.length, order.length - 2, 'all headings but the title and that of the contents');
  for (const id of anchors) t.equal(html.split(` id="${id}"`).length, 2);
});
