/** Markdown (CommonMark 0.31 with tables and strikethrough) to blocks. Markup that is not Markdown stays text. */
import MarkdownIt, { type Token } from 'markdown-it';
import type { Run, Runs, TextBlock } from './blocks.js';
import { cleanText } from './clean.js';

/** Levels of tokens: nine lists within one another. Deeper texts are shown as they were typed. */
const MOST_LEVELS = 20;
/** Columns of a table; a page has no room for more. */
const MOST_COLUMNS = 30;
/** Texts with more of these are shown as they were typed, since parsing them takes a time that grows with the square. */
const MOST_BRACKETS = 3_000;
const MOST_TABLE_CELLS = 50_000;
/** Characters of an address: Word opens no longer ones. */
const LONGEST_ADDRESS = 2_000;

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
// A definition of a link would be content of a signed document that no reader sees.
parser.disable('reference');
parser.validateLink = (href) => isAddress(href);

/**
 * Whether an address may be linked to: http, https or mailto, and well-formed for Word too, which cannot open a file with
 * another one.
 */
function isAddress(href: string): boolean {
  if (href.length > LONGEST_ADDRESS) return false;
  if (/^mailto:/i.test(href)) return /^mailto:[\w.+-]+@[\w-]+(\.[\w-]+)*(\?[^\s]*)?$/i.test(href);
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return false;
  const { hostname } = new URL(href);
  return /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*\.?)$/i.test(hostname);
}

/** Parses one line: the looks of its pieces, without any blocks. */
export const parseLine = (markdown: string): Run[] => runsOf(parser.parseInline(markdown, {})[0]?.children ?? []);

/**
 * Parses texts of one document, within a number of tokens for all of them together.
 * @param mostTokens what exceeds it is shown as it was typed: nothing of a text is left out
 */
export class TextParser {
  #left: number;

  constructor(mostTokens = 200_000) {
    this.#left = mostTokens;
  }

  /** Headings have their level in the text: 1 to 6. */
  parse(markdown: string): TextBlock[] {
    const text = cleanText(markdown);
    if (this.#left <= 0 || isCostly(text)) return asTyped(text);
    const tokens = parser.parse(text, {});
    this.#left -= tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
    if (this.#left < 0 || tokens.some(isTooDeep)) return asTyped(text);
    const reader = new TokenReader(tokens);
    const blocks = reader.blocks();
    return reader.isTooWide ? asTyped(text) : blocks;
  }
}

function isCostly(text: string): boolean {
  if ((text.match(/\[/g)?.length ?? 0) > MOST_BRACKETS) return true;
  const lines = text.split('\n');
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  return columns > 1 && columns * lines.length > MOST_TABLE_CELLS;
}

const isTooDeep = ({ level, children }: Token): boolean =>
  level > MOST_LEVELS || (children?.some((child) => child.level > MOST_LEVELS) ?? false);

/** A text without any markup: its paragraphs and lines. */
function asTyped(text: string): TextBlock[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((part) => part.replace(/^\n+/, '').trimEnd())
    .filter((part) => part !== '')
    .map((part) => ({ kind: 'paragraph', runs: [{ text: part }] }));
}

/** Reads the flat list of tokens, in which blocks are pairs of tokens `…_open` and `…_close`. */
class TokenReader {
  isTooWide = false;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The blocks up to the token that closes their parent, which is read as well. */
  blocks(closing?: string): TextBlock[] {
    const found: TextBlock[] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at++]!;
      if (token.type === closing) break;
      const block = this.#block(token);
      if (block) found.push(block);
    }
    return found;
  }

  #block(token: Token): TextBlock | undefined {
    switch (token.type) {
      case 'heading_open': {
        const runs = this.#line('heading_close');
        return runs.length === 0 ? undefined : { kind: 'heading', level: Number(token.tag.slice(1)), runs };
      }
      case 'paragraph_open':
        return { kind: 'paragraph', runs: this.#line('paragraph_close') };
      case 'bullet_list_open':
        return { kind: 'list', start: null, items: this.#items('bullet_list_close') };
      case 'ordered_list_open':
        return { kind: 'list', start: Number(token.attrGet('start') ?? 1), items: this.#items('ordered_list_close') };
      case 'blockquote_open':
        return { kind: 'quote', blocks: this.blocks('blockquote_close') };
      case 'fence':
      case 'code_block':
        return { kind: 'code', text: token.content.replace(/\n$/, '') };
      case 'hr':
        return { kind: 'rule' };
      case 'table_open':
        return this.#table();
      default:
        return undefined;
    }
  }

  #line(closing: string): Runs {
    const found: Run[] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at++]!;
      if (token.type === closing) break;
      if (token.type === 'inline') for (const run of runsOf(token.children ?? [])) found.push(run);
    }
    return found;
  }

  #items(closing: string): TextBlock[][] {
    const items: TextBlock[][] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at++]!;
      if (token.type === closing) break;
      if (token.type === 'list_item_open') items.push(this.blocks('list_item_close'));
    }
    return items;
  }

  #table(): TextBlock {
    const alignments: ('left' | 'right' | 'center')[] = [];
    const rows: Runs[][] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at++]!;
      if (token.type === 'table_close') break;
      if (token.type === 'tr_open') rows.push([]);
      if (token.type === 'th_open') alignments.push(alignmentOf(token));
      if (token.type === 'th_open' || token.type === 'td_open')
        rows.at(-1)!.push(this.#line(token.type.replace('open', 'close')));
    }
    this.isTooWide ||= alignments.length > MOST_COLUMNS;
    return { kind: 'table', alignments, rows };
  }
}

function alignmentOf(token: Token): 'left' | 'right' | 'center' {
  const found = /text-align:(right|center)/.exec(String(token.attrGet('style') ?? ''))?.[1];
  return found === 'right' || found === 'center' ? found : 'left';
}

/** The looks that a pair of tokens switches on and off. */
const LOOKS: Readonly<Record<string, 'bold' | 'italic' | 'strike'>> = { strong: 'bold', em: 'italic', s: 'strike' };

function runsOf(tokens: readonly Token[]): Run[] {
  const found: Run[] = [];
  // The same look can be on twice: emphasis within emphasis.
  const on = { bold: 0, italic: 0, strike: 0 };
  let href: string | undefined;
  const add = (text: string, code = false): void => {
    const run: Run = {
      text: cleanText(text),
      ...(on.bold > 0 && { bold: true }),
      ...(on.italic > 0 && { italic: true }),
      ...(on.strike > 0 && { strike: true }),
      ...(code && { code }),
      ...(href !== undefined && { href }),
    };
    const last = found.at(-1);
    if (last && sameLook(last, run)) last.text += run.text;
    else if (run.text !== '') found.push(run);
  };
  for (const token of tokens) {
    const look = LOOKS[token.tag];
    if (token.type === 'code_inline') add(token.content, true);
    else if (token.type === 'softbreak') add(' ');
    else if (token.type === 'hardbreak') add('\n');
    // An image is not fetched; its description stands for it.
    else if (token.type === 'image') add(token.content);
    else if (token.type === 'link_open') href = String(token.attrGet('href'));
    else if (token.type === 'link_close') href = undefined;
    else if (look) on[look] += token.nesting;
    else add(token.content);
  }
  return found;
}

/** Whether two pieces of text look the same and lead to the same address. */
export const sameLook = (one: Run, other: Run): boolean =>
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.strike === other.strike &&
  one.code === other.code &&
  one.href === other.href;
