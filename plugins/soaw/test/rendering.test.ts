/** Word files as other libraries read them: headings, contents, tables, and pages. */
import t from 'tap';
import { renderDocx } from '../rendering/docx.js';
import { renderHtml } from '../rendering/html.js';
import { renderMarkdown } from '../rendering/markdown.js';
import type { RenderedDocument } from '../rendering/model.js';
import {
  all,
  htmlOfMarkdown,
  parseXml,
  partsOf,
  readWord,
  shown,
  textOfHtml,
  widthsOf,
  type Element,
} from './rendering-readers.js';
import { document, HASH, markdown, migration, section, tableOf } from './rendering-samples.js';

const bodyOf = async (doc: RenderedDocument): Promise<Element> =>
  parseXml(partsOf(await renderDocx(doc)).get('word/document.xml')!);
const styleOf = (paragraph: Element): string => all(paragraph, 'w:pStyle')[0]?.attributes['w:val'] ?? '';
const withStyle = (body: Element, style: RegExp): Element[] =>
  all(body, 'w:p').filter((paragraph) => style.test(styleOf(paragraph)));

const HEADINGS = [
  [1, '1', 'Request and background'],
  [1, '2', 'Project description and scope'],
  [2, '2.1', 'In scope'],
  [3, '2.1.1', 'Applications'],
  [2, '2.2', 'Out of scope'],
  [1, '3', 'Architecture vision: overview'],
  [1, '4', 'Plan and schedule'],
  [1, '5', 'Risks and mitigations'],
  [1, '6', 'Costs'],
  [1, '', 'Signatures'],
] as const;

t.test('headings and their levels, as mammoth reads them', async (t) => {
  const { html } = await readWord(await renderDocx(migration()));
  const found = Array.from(html.matchAll(/<h(\d)>(.*?)<\/h\d>/g), ([, level, content]) => [
    Number(level),
    textOfHtml(content!),
  ]);
  // mammoth reads the style of the title as a heading too.
  t.strictSame(
    found.filter(([, text]) => text !== migration().title),
    HEADINGS.map(([level, , text]) => [level, text]),
  );
});

t.test('the table of contents has the headings as its entries, which lead to them', async (t) => {
  const body = await bodyOf(migration());
  const entries = withStyle(body, /^TOC\d$/);
  t.strictSame(
    entries.map((entry) => [Number(styleOf(entry).at(-1)), ...shown(entry).split('\t')]),
    HEADINGS.map(([level, number, text]) => (number === '' ? [level, text] : [level, number, text])),
  );
  const anchors = entries.map((entry) => all(entry, 'w:hyperlink')[0]!.attributes['w:anchor']);
  const targets = withStyle(body, /^Heading\d$/).map(
    (heading) => all(heading, 'w:bookmarkStart')[0]!.attributes['w:name'],
  );
  t.strictSame(anchors, targets);
  t.equal(new Set(targets).size, HEADINGS.length);
  const ids = all(body, 'w:bookmarkStart').map(({ attributes }) => attributes['w:id']);
  t.equal(new Set(ids).size, HEADINGS.length, 'Word opens no file with an id twice');
  t.strictSame(
    all(body, 'w:bookmarkEnd').map(({ attributes }) => attributes['w:id']),
    ids,
  );
  const instruction = all(body, 'w:instrText')
    .map(({ text }) => text)
    .find((text) => text.includes('TOC'));
  t.match(instruction, /TOC \\o "1-3" \\h/);
  const marks = all(body, 'w:fldChar').map(({ attributes }) => attributes['w:fldCharType']);
  t.equal(marks.filter((mark) => mark === 'begin').length, marks.filter((mark) => mark === 'end').length);
  t.notMatch(partsOf(await renderDocx(migration())).get('word/settings.xml'), /updateFields/, 'Word asks nothing');
});

t.test('the numbers of headings come from Word and count as those of the contents', async (t) => {
  const parts = partsOf(await renderDocx(migration()));
  const numbering = parseXml(parts.get('word/numbering.xml')!);
  const levels = all(all(numbering, 'w:abstractNum')[0]!, 'w:lvl');
  t.strictSame(
    levels.map((level) => [
      all(level, 'w:pStyle')[0]!.attributes['w:val'],
      all(level, 'w:lvlText')[0]!.attributes['w:val'],
    ]),
    [
      ['Heading1', '%1'],
      ['Heading2', '%1.%2'],
      ['Heading3', '%1.%2.%3'],
    ],
  );
  const headings = withStyle(parseXml(parts.get('word/document.xml')!), /^Heading/);
  const own = headings.filter((heading) => all(heading, 'w:numId').length > 0);
  t.strictSame(own.map(shown), ['Signatures'], 'which is the only one without a number');
  const deep = await bodyOf(document({ sections: [section(markdown('### a\n\n# b\n\n#### c\n\n## d'))] }));
  t.strictSame(
    withStyle(deep, /^TOC\d/).map(shown),
    ['1\tSection', '1.1\ta', '1.2\tb', '1.2.1\tc', '1.2.2\td', 'Signatures'],
    'no level is skipped',
  );
});

t.test('tables cell by cell', async (t) => {
  const table = {
    title: 'Values',
    columns: [{ title: 'Name' }, { title: 'Amount', align: 'right' as const }, { title: 'Day' }],
    rows: [
      ['Two\nlines', { money: '-1234567.5', currency: 'EUR' }, { date: '2026-03-09' }],
      ['A | B', { withheld: true as const }, null],
      [12345.25, { money: '12', currency: 'USD' }, 'soon'],
      ['Short row'],
    ],
    footer: ['Sum', { money: '999', currency: 'EUR' }, 2026],
    note: 'A note',
  };
  const expected: Record<string, string[][]> = {
    en: [
      ['Name', 'Amount', 'Day'],
      ['Two\nlines', 'EUR\u00a0\u22121,234,567.5', '9\u00a0Mar\u00a02026'],
      ['A | B', 'withheld', ''],
      ['12,345.25', 'USD\u00a012', 'soon'],
      ['Short row', '', ''],
      ['Sum', 'EUR\u00a0999', '2026'],
    ],
    de: [
      ['Name', 'Amount', 'Day'],
      ['Two\nlines', '\u22121.234.567,5\u00a0EUR', '09.03.2026'],
      ['A | B', 'nicht einsehbar', ''],
      ['12.345,25', '12\u00a0USD', 'soon'],
      ['Short row', '', ''],
      ['Sum', '999\u00a0EUR', '2026'],
    ],
  };
  for (const [lang, rows] of Object.entries(expected)) {
    const doc = document({ lang, sections: [section(tableOf(table))] });
    const body = await bodyOf(doc);
    const found = all(body, 'w:tbl').find((candidate) => shown(candidate).startsWith('NameAmount'))!;
    t.strictSame(
      all(found, 'w:tr').map((row) => all(row, 'w:tc').map(shown)),
      rows,
      `Word, ${lang}`,
    );
    t.ok(
      all(found, 'w:tc').every((cell) => cell.children.at(-1)?.name === 'w:p'),
      'each cell ends with a paragraph',
    );
    const [header, ...others] = all(found, 'w:tr');
    t.equal(all(header!, 'w:tblHeader').length, 1, 'the header is repeated');
    t.equal(others.flatMap((row) => all(row, 'w:tblHeader')).length, 0);
    const aligned = all(found, 'w:tr').map((row) =>
      all(row, 'w:tc').map((cell) => all(cell, 'w:jc')[0]?.attributes['w:val']),
    );
    t.strictSame(
      aligned,
      rows.map(() => [undefined, 'right', undefined]),
      'amounts stand at the right',
    );
    const widths = all(found, 'w:gridCol').map(({ attributes }) => Number(attributes['w:w']));
    t.equal(
      widths.reduce((sum, width) => sum + width, 0),
      9_638,
      'the columns fill the page',
    );
    const cells = (html: string, from: string): string[][] => {
      const [part = ''] = html.slice(html.indexOf(from)).split('</table>');
      return Array.from(part.matchAll(/<tr>([^]*?)<\/tr>/g), ([, row]) =>
        Array.from(row!.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g), ([, cell]) => textOfHtml(cell!)),
      );
    };
    t.strictSame(cells(renderHtml(doc), '<caption>'), rows, `HTML, ${lang}`);
    const read = htmlOfMarkdown(renderMarkdown(doc));
    t.strictSame(cells(read, 'Values'), rows, `Markdown, ${lang}`);
    for (const text of [shown(body), textOfHtml(renderHtml(doc)), textOfHtml(read)])
      t.match(text, lang === 'de' ? /Tabelle 1: Values[^]*A note/ : /Table 1: Values[^]*A note/, 'caption and note');
  }
});

t.test('tables without rows or columns, and wide ones', async (t) => {
  const empty = await bodyOf(
    document({ lang: 'fr', sections: [section(tableOf({ rows: [] }), tableOf({ columns: [], note: 'Disabled' }))] }),
  );
  t.match(shown(empty), /Aucune entrée[^]*Tableau 2: Table[^]*Disabled/);
  const columns = Array.from({ length: 12 }, (_, column) => ({ title: `Column ${column}` }));
  const word = 'x'.repeat(300);
  const wide = await bodyOf(
    document({ sections: [section(markdown('Text'), tableOf({ columns, rows: [columns.map(() => word)] }))] }),
  );
  t.strictSame(
    all(wide, 'w:pgSz').map(({ attributes }) => attributes['w:orient'] ?? 'portrait'),
    ['portrait', 'landscape', 'portrait'],
  );
  const widths = widthsOf(wide, 'Column 0');
  t.equal(
    widths.reduce((sum, width) => sum + width, 0),
    14_570,
  );
  t.ok(
    widths.every((width) => width > 1_000),
    'and no column is crowded out',
  );
  t.equal(all(wide, 'w:titlePg').length, 1, 'only the first pages have a title page');
  const breaks = (element: Element): (string | undefined)[] =>
    withStyle(element, /^Heading1$/).map((heading) => all(heading, 'w:pageBreakBefore')[0]?.name);
  t.strictSame(breaks(wide), ['w:pageBreakBefore', undefined], 'no empty page after the pages of the table');
  t.strictSame(breaks(empty), ['w:pageBreakBefore', 'w:pageBreakBefore']);
});

t.test('title page, headers, footers and the page of signatures', async (t) => {
  const file = await renderDocx(migration());
  const parts = partsOf(file);
  const text = (name: string): string => shown(parseXml(parts.get(name)!));
  for (const number of [1, 2]) {
    t.equal(
      text(`word/header${number}.xml`),
      'Enterprise Architecture OfficeSOAW-0007  Migration of the sales platform to the cloud',
    );
    t.equal(
      text(`word/footer${number}.xml`),
      `Internal – for the addressees of this document only${HASH.slice(0, 12)}\tPage 1 of 1`,
    );
    t.match(parts.get(`word/footer${number}.xml`), / PAGE [^]* NUMPAGES /);
  }
  t.equal(text('word/header3.xml') + text('word/footer3.xml'), '', 'the first page has none');
  const { text: read } = await readWord(file);
  t.match(
    read.replace(/\n+/g, '|'),
    /^\|Statement of Architecture Work\|Migration of the sales platform to the cloud\|Organisation\|Nordwind Energy AG\|Number\|SOAW-0007\|Revision\|2\|Status\|Signed\|Date\|23.Nov.2026\|/,
  );
  t.ok(
    read
      .replace(/\n+/g, '|')
      .includes(
        '|Signatures|Name|Status|Signed on|Comment|Dr. Ines Hoffmann|signed|20\u00a0Nov\u00a02026 09:12\u00a0UTC|With the budget of 2027.|Marc Lefèvre|signed|21\u00a0Nov\u00a02026 16:40\u00a0UTC|Aroha Te Whata|signed|23\u00a0Nov\u00a02026 07:05\u00a0UTC|',
      ),
    'who signed, when, with which words',
  );
  t.ok(read.trimEnd().endsWith(HASH));
  const core = parseXml(parts.get('docProps/core.xml')!);
  const property = (name: string): string | undefined => all(core, name)[0]?.text;
  t.equal(property('dc:title'), 'SOAW-0007 Migration of the sales platform to the cloud');
  t.equal(property('dc:language'), 'en-GB');
  t.equal(property('dcterms:created'), '2026-11-23T00:00:00Z');
  const open = document({
    status: 'in_review',
    signatures: [{ name: 'A', status: 'pending', signedAt: null, comment: null }],
    lang: 'it',
  });
  const { text: pending } = await readWord(await renderDocx(open));
  t.match(pending.replace(/\n+/g, '|'), /\|Firme\|Nome\|Stato\|Firmato il\|Commento\|A\|in attesa\|/);
});

t.test('drafts say that they are drafts, signed documents do not, in all languages', async (t) => {
  const words = [
    ['en', 'Draft', 'Draft: ', 'Contents'],
    ['de', 'Entwurf', 'Entwurf: ', 'Inhalt'],
    ['fr-CA', 'Projet', 'Projet : ', 'Sommaire'],
    ['es', 'Borrador', 'Borrador: ', 'Contenido'],
    ['it', 'Bozza', 'Bozza: ', 'Indice'],
    ['xx', 'Draft', 'Draft: ', 'Contents'],
  ] as const;
  for (const [lang, draft, notice, contents] of words)
    for (const status of ['draft', 'signed'] as const) {
      const doc = document({ lang, status, contentHash: status === 'draft' ? null : HASH });
      const parts = partsOf(await renderDocx(doc));
      const [body, header] = ['document', 'header1'].map((name) => shown(parseXml(parts.get(`word/${name}.xml`)!)));
      const isDraft = status === 'draft';
      for (const text of [header!, body!, textOfHtml(renderHtml(doc)), renderMarkdown(doc)])
        t.equal(text.includes(draft), isDraft, `${lang} ${status}`);
      for (const text of [body!, textOfHtml(renderHtml(doc)), renderMarkdown(doc)]) {
        t.ok(text.includes(contents), lang);
        t.equal(text.includes(notice), isDraft, `${lang} ${status}`);
      }
    }
});
