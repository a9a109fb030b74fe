/** Blocks as HTML, in which all characters of a text stand for themselves. */
import type { Runs, TextBlock } from '../text/blocks.js';
import { cleanText } from '../text/clean.js';

/** Text as the content of an element or the value of an attribute in double quotation marks. */
export const escapeHtml = (text: string): string =>
  cleanText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text with its line breaks. Only words that are longer than a narrow column are broken within themselves. */
export const textHtml = (text: string): string =>
  escapeHtml(text)
    .replace(/\S{30,}/g, '<span class="long">$&</span>')
    .replaceAll('\n', '<br>');

const LOOKS = [
  ['strike', 's'],
  ['italic', 'em'],
  ['bold', 'strong'],
] as const;

export function runsHtml(runs: Runs): string {
  return runs
    .map((run) => {
      const text = textHtml(run.text);
      const looked = LOOKS.reduce(
        (inner, [look, tag]) => (run[look] ? `<${tag}>${inner}</${tag}>` : inner),
        run.code ? `<code>${text}</code>` : text,
      );
      return run.href === undefined
        ? looked
        : `<a href="${escapeHtml(run.href)}" rel="noopener noreferrer nofollow">${looked}</a>`;
    })
    .join('');
}

export const blocksHtml = (blocks: readonly TextBlock[]): string => blocks.map(blockHtml).join('\n');

function blockHtml(block: TextBlock): string {
  switch (block.kind) {
    // Within a list or a quotation there are no headings of the document.
    case 'heading':
      return `<p><strong>${runsHtml(block.runs)}</strong></p>`;
    case 'paragraph':
      return `<p>${runsHtml(block.runs)}</p>`;
    case 'rule':
      return '<hr>';
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'quote':
      return `<blockquote>${blocksHtml(block.blocks)}</blockquote>`;
    case 'list': {
      const items = block.items.map((item) => `<li>${itemHtml(item)}</li>`).join('');
      if (block.start === null) return `<ul>${items}</ul>`;
      return `<ol${block.start === 1 ? '' : ` start="${block.start}"`}>${items}</ol>`;
    }
    case 'table':
      return tableHtml(
        block.alignments,
        block.rows[0]?.map(runsHtml) ?? [],
        block.rows.slice(1).map((cells) => cells.map(runsHtml)),
      );
  }
}

/** The only paragraph of an item, or its first one before lists, has no element of its own. */
function itemHtml(item: readonly TextBlock[]): string {
  const [first, ...rest] = item;
  if (first?.kind !== 'paragraph' || rest.some(({ kind }) => kind !== 'list')) return blocksHtml(item);
  return `${runsHtml(first.runs)}${blocksHtml(rest)}`;
}

/** Tables with more columns than this are printed on pages across. */
const MOST_UPRIGHT = 7;

const ALIGNMENTS = { left: '', right: ' class="right"', center: ' class="center"' } as const;

/** A table. @param header written cells @param rows written cells @param more the caption, and the footer as a written row */
export function tableHtml(
  alignments: readonly ('left' | 'right' | 'center')[],
  header: readonly string[],
  rows: readonly (readonly string[])[],
  more: { caption?: string; footer?: readonly string[] } = {},
): string {
  const cells = (tag: string, row: readonly string[]): string =>
    alignments
      .map((align, column) => `<${tag}${ALIGNMENTS[align]}>${row[column] ?? ''}</${tag.split(' ')[0]}>`)
      .join('');
  return [
    `<div class="table${alignments.length > MOST_UPRIGHT ? ' wide' : ''}"><table>`,
    more.caption === undefined ? '' : `<caption>${more.caption}</caption>`,
    `<thead><tr>${cells('th scope="col"', header)}</tr></thead><tbody>`,
    ...rows.map((row) => `<tr>${cells('td', row)}</tr>`),
    '</tbody>',
    more.footer ? `<tfoot><tr>${cells('td', more.footer)}</tr></tfoot>` : '',
    '</table></div>',
  ].join('\n');
}
