/** A document as Markdown. */
import { facts, layOut, type Layout, type Part } from './layout.js';
import { blocksMarkdown, runsLine, table, textLine, textLines } from './markdown/write.js';
import type { RenderedDocument, RenderedTable } from './model.js';
import { cellText, dateText, timeText } from './text/cells.js';
import { cleanLine } from './text/clean.js';

/**
 * Renders a document in GitHub Flavored Markdown, without HTML other than line breaks in cells.
 * @returns text with the same characters for the same document
 */
export function renderMarkdown(doc: RenderedDocument): string {
  const layout = layOut(doc);
  const { words, title, sections, signatures } = layout;
  const blocks = [
    ...[doc.header].map(cleanLine).filter(Boolean).map(textLines),
    `# ${textLine(`${cleanLine(doc.number)} ${title}`)}`,
    textLines(words.documentType),
    table(
      ['left', 'left'],
      [['', ''], ...facts(layout, (date) => dateText(date, words)).map((row) => row.map(textLine))],
    ),
    ...(doc.status === 'draft' ? [`> **${textLine(words.draftNotice)}**`] : []),
    ...(doc.withheld ? [`> ${textLine(words.withheldNotice)}`] : []),
    `## ${textLine(words.contents)}`,
    contents(layout),
    ...sections.flatMap(({ heading, parts }) => [
      `## ${heading.number} ${runsLine(heading.runs)}`.trimEnd(),
      ...parts.map((part) => partMarkdown(part, layout)),
    ]),
    `## ${textLine(signatures.text)}`,
    signatureTable(layout),
    ...(doc.contentHash === null ? [] : [`${textLine(words.contentHash)}: \`${cleanLine(doc.contentHash)}\``]),
    ...[doc.footer].map(cleanLine).filter(Boolean).map(textLines),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const contents = ({ headings }: Layout): string =>
  headings
    .map(
      ({ level, number, text }) => `${'  '.repeat(level - 1)}- ${textLine([number, text].filter(Boolean).join(' '))}`,
    )
    .join('\n');

function partMarkdown(part: Part, layout: Layout): string {
  if (part.kind === 'heading') {
    const { level, number, runs } = part.heading;
    return `${'#'.repeat(level + 1)} ${number} ${runsLine(runs)}`;
  }
  return part.kind === 'text' ? blocksMarkdown([part.block]) : tableMarkdown(part.number, part.table, layout);
}

function tableMarkdown(
  number: number,
  { title, columns, rows, footer, note }: RenderedTable,
  { words }: Layout,
): string {
  const name = cleanLine(title);
  const cells = (row: RenderedTable['rows'][number]): string[] => row.map((cell) => textLine(cellText(cell, words)));
  const written = [
    columns.map((column) => textLine(cleanLine(column.title))),
    ...rows.map(cells),
    ...(footer ? [cells(footer).map((text) => (text === '' ? '' : `**${text}**`))] : []),
  ];
  return [
    `**${words.table} ${number}${name && `: ${textLine(name)}`}**`,
    ...(columns.length === 0
      ? []
      : [
          table(
            columns.map(({ align }) => align ?? 'left'),
            written,
          ),
        ]),
    ...(rows.length === 0 && columns.length > 0 ? [`*${textLine(words.noRows)}*`] : []),
    ...(note === undefined ? [] : [textLines(cleanLine(note))]),
  ].join('\n\n');
}

function signatureTable({ doc, words }: Layout): string {
  if (doc.signatures.length === 0) return textLines(words.noSignatures);
  const rows = doc.signatures.map(({ name, status, signedAt, comment }) =>
    [cleanLine(name), words[status], signedAt ? timeText(signedAt, words) : '', comment ?? ''].map(textLine),
  );
  const header = [words.name, words.status, words.signedAt, words.comment].map(textLine);
  return table(['left', 'left', 'left', 'left'], [header, ...rows]);
}
