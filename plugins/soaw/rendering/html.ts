/** A document as one HTML file that needs no other and runs no scripts. */
import { HTML_POLICY, STYLE } from './html/style.js';
import { blocksHtml, escapeHtml, runsHtml, tableHtml, textHtml } from './html/write.js';
import { facts, layOut, shortHash, type Heading, type Layout, type Part } from './layout.js';
import type { Cell, RenderedDocument, RenderedTable } from './model.js';
import { cellText, dateText, timeText } from './text/cells.js';
import { cleanLine } from './text/clean.js';
import type { Words } from './words.js';

export { HTML_POLICY };

/**
 * Renders a document as HTML.
 * @returns text with the same characters for the same document
 */
export function renderHtml(doc: RenderedDocument): string {
  const layout = layOut(doc);
  const { words, title, sections, signatures } = layout;
  return `${[
    '<!doctype html>',
    `<html lang="${words.tag}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(HTML_POLICY)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(`${cleanLine(doc.number)} ${title}`)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    titlePage(layout),
    contents(layout),
    '<main>',
    ...sections.map(({ heading, parts }, index) =>
      [
        `<section${index === 0 ? ' class="first"' : ''}>`,
        headingHtml(heading),
        ...parts.map((part) => partHtml(part, words)),
        '</section>',
      ].join('\n'),
    ),
    '</main>',
    signaturePage(layout, headingHtml(signatures)),
    `<footer class="margin"><p>${[cleanLine(doc.footer), cleanLine(doc.number), shortHash(doc)].filter(Boolean).map(escapeHtml).join(' · ')}</p></footer>`,
    '</body>',
    '</html>',
  ].join('\n')}\n`;
}

function titlePage(layout: Layout): string {
  const { doc, words, title } = layout;
  const header = cleanLine(doc.header);
  return [
    '<header>',
    header && `<p class="margin">${escapeHtml(header)}</p>`,
    doc.logo
      ? `<img class="logo" alt="${escapeHtml(cleanLine(doc.organisation))}" src="${dataAddress(doc.logo)}">`
      : '',
    `<p class="kind">${escapeHtml(words.documentType)}</p>`,
    `<h1>${escapeHtml(title)}</h1>`,
    '<dl class="facts">',
    ...facts(layout, (date) => dateText(date, words)).map(
      ([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`,
    ),
    '</dl>',
    doc.status === 'draft' ? `<p class="notice"><strong>${escapeHtml(words.draftNotice)}</strong></p>` : '',
    doc.withheld ? `<p class="notice">${escapeHtml(words.withheldNotice)}</p>` : '',
    '</header>',
  ]
    .filter(Boolean)
    .join('\n');
}

/** An image in the file itself. A drawing is shown as an image, in which browsers run no scripts. */
const dataAddress = ({ type, bytes }: NonNullable<RenderedDocument['logo']>): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

const anchor = ({ id }: Heading): string => `heading-${id}`;

const headingHtml = (heading: Heading): string =>
  `<h${heading.level + 1} id="${anchor(heading)}">${[heading.number, runsHtml(heading.runs)].filter(Boolean).join(' ')}</h${heading.level + 1}>`;

const contents = ({ headings, words }: Layout): string =>
  [
    '<nav aria-labelledby="contents">',
    `<h2 id="contents">${escapeHtml(words.contents)}</h2>`,
    '<ol>',
    ...headings.map(
      (heading) =>
        `<li class="level-${heading.level}"><a href="#${anchor(heading)}">${escapeHtml([heading.number, heading.text].filter(Boolean).join(' '))}</a></li>`,
    ),
    '</ol>',
    '</nav>',
  ].join('\n');

function partHtml(part: Part, words: Words): string {
  if (part.kind === 'heading') return headingHtml(part.heading);
  return part.kind === 'text' ? blocksHtml([part.block]) : liveTable(part.number, part.table, words);
}

function liveTable(number: number, { title, columns, rows, footer, note }: RenderedTable, words: Words): string {
  const name = cleanLine(title);
  const caption = escapeHtml(`${words.table} ${number}${name && `: ${name}`}`);
  const cell = (value: Cell): string => {
    const text = textHtml(cellText(value, words));
    const isWithheld = typeof value === 'object' && value !== null && 'withheld' in value;
    return isWithheld ? `<span class="withheld">${text}</span>` : text;
  };
  return [
    columns.length === 0
      ? `<p><strong>${caption}</strong></p>`
      : tableHtml(
          columns.map(({ align }) => align ?? 'left'),
          columns.map((column) => escapeHtml(cleanLine(column.title))),
          rows.map((row) => row.map(cell)),
          { caption, ...(footer && { footer: footer.map(cell) }) },
        ),
    rows.length === 0 && columns.length > 0 ? `<p class="none">${escapeHtml(words.noRows)}</p>` : '',
    note === undefined ? '' : `<p class="note">${escapeHtml(cleanLine(note))}</p>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function signaturePage({ doc, words }: Layout, heading: string): string {
  const rows = doc.signatures.map(({ name, status, signedAt, comment }) => [
    escapeHtml(cleanLine(name)),
    escapeHtml(words[status]),
    signedAt ? escapeHtml(timeText(signedAt, words)) : '',
    textHtml(comment ?? ''),
  ]);
  const header = [words.name, words.status, words.signedAt, words.comment].map(escapeHtml);
  return [
    '<section class="signatures">',
    heading,
    rows.length === 0
      ? `<p>${escapeHtml(words.noSignatures)}</p>`
      : tableHtml(['left', 'left', 'left', 'left'], header, rows),
    doc.contentHash === null
      ? ''
      : `<p class="hash">${escapeHtml(words.contentHash)}: <code>${escapeHtml(cleanLine(doc.contentHash))}</code></p>`,
    '</section>',
  ]
    .filter(Boolean)
    .join('\n');
}
