/** Blocks as Markdown (GitHub Flavored Markdown), in which all characters of a text stand for themselves. */
import type { Run, Runs, TextBlock } from '../text/blocks.js';
import { cleanText } from '../text/clean.js';
import { parseLine, sameLook } from '../text/parse.js';

/** Text in which no character is markup, wherever it stands in a line. */
const escapeInline = (text: string): string => cleanText(text).replace(/[\\`*_[\]<>|~&$]/g, '\\$&');

/** Text at the beginning of a line: the signs of headings, lists, rules and code are escaped too. */
const escapeStart = (line: string): string =>
  line
    .replace(/^[ \t]+/, '')
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');

/** A text that is not Markdown, as a paragraph. */
export const textLines = (text: string): string => lines(escapeInline(text));

/** A text that is not Markdown, within a line, such as in a cell. */
export const textLine = (text: string): string =>
  escapeInline(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('<br>');

const lines = (escaped: string): string => escaped.split('\n').map(escapeStart).join('\\\n');

const MARKS = [
  ['bold', '**'],
  ['italic', '*'],
  ['strike', '~~'],
] as const;

/** The runs of a line with their looks; without those that Markdown cannot express here, such as within a word. */
function styled(runs: Runs): string {
  const written = runs.every(isPlain) ? undefined : withMarks(runs);
  if (written !== undefined && areEqual(parseLine(written), runs)) return written;
  return runs.map(({ text }) => escapeInline(text)).join('');
}

const isPlain = ({ bold, italic, strike, code, href }: Run): boolean =>
  !bold && !italic && !strike && !code && href === undefined;

function withMarks(runs: Runs): string {
  let written = '';
  const open: string[] = [];
  for (const run of runs) {
    const wanted = MARKS.filter(([look]) => run[look]).map(([, mark]) => mark);
    while (open.some((mark) => !wanted.includes(mark as never))) written += open.pop()!;
    for (const mark of wanted)
      if (!open.includes(mark)) {
        open.push(mark);
        written += mark;
      }
    const content = run.code ? codeSpan(run.text) : escapeInline(run.text);
    written += run.href === undefined ? content : `[${content}](<${run.href.replace(/[<>\\]/g, encodeURIComponent)}>)`;
  }
  return written + open.reverse().join('');
}

function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const room = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${ticks}${room}${text}${room}${ticks}`;
}

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);

const areEqual = (found: Runs, wanted: Runs): boolean =>
  found.length === wanted.length &&
  found.every((run, index) => run.text === wanted[index]!.text && sameLook(run, wanted[index]!));

/** Runs as the content of a heading or a cell. */
export const runsLine = (runs: Runs): string =>
  styled(runs.map((run) => ({ ...run, text: run.text.replace(/\n/g, ' ') }))).trim();

/** Runs as a paragraph, whose line breaks are kept. */
function runsLines(runs: Runs): string {
  // A line break within a look is checked with the others, and written as two spaces would be.
  const parts: Run[][] = [[]];
  for (const run of runs)
    for (const [index, text] of run.text.split('\n').entries()) {
      if (index > 0) parts.push([]);
      if (text !== '') parts.at(-1)!.push({ ...run, text });
    }
  return parts.map((part) => escapeStart(styled(part))).join('\\\n');
}

/** Blocks with empty lines between them. */
export function blocksMarkdown(blocks: readonly TextBlock[]): string {
  // Lists that follow one another have different signs: otherwise they were one list.
  let isOther = false;
  return blocks
    .map((block, index) => {
      isOther = block.kind === 'list' && blocks[index - 1]?.kind === 'list' && !isOther;
      return blockMarkdown(block, isOther);
    })
    .join('\n\n');
}

function blockMarkdown(block: TextBlock, isOther: boolean): string {
  switch (block.kind) {
    // Within a list or a quotation there are no headings of the document.
    case 'heading':
      return runsLine(block.runs.map((run) => ({ ...run, bold: true })));
    case 'paragraph':
      return runsLines(block.runs);
    case 'rule':
      return '---';
    case 'code': {
      const fence = '`'.repeat(Math.max(3, longestTicks(block.text) + 1));
      return `${fence}\n${block.text}\n${fence}`;
    }
    case 'quote':
      return prefixed(blocksMarkdown(block.blocks), '> ', '> ');
    case 'list':
      return block.items
        .map((item, index) => {
          const sign = block.start === null ? (isOther ? '* ' : '- ') : `${block.start + index}${isOther ? ')' : '.'} `;
          return prefixed(blocksMarkdown(item), sign, ' '.repeat(sign.length));
        })
        .join(block.items.some((item) => item.length > 1) ? '\n\n' : '\n');
    case 'table':
      return table(
        block.alignments,
        block.rows.map((cells) => cells.map(runsLine)),
      );
  }
}

const prefixed = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : line === '' ? others.trimEnd() : others}${line}`)
    .join('\n');

const RULES = { left: '---', right: '--:', center: ':-:' } as const;

/** A table of GitHub Flavored Markdown. @param rows with written cells, the first one the header */
export function table(
  alignments: readonly ('left' | 'right' | 'center')[],
  rows: readonly (readonly string[])[],
): string {
  const [header = [], ...others] = rows;
  const line = (cells: readonly string[]): string =>
    `| ${alignments.map((_, column) => cells[column] ?? '').join(' | ')} |`;
  return [line(header), `| ${alignments.map((align) => RULES[align]).join(' | ')} |`, ...others.map(line)].join('\n');
}
