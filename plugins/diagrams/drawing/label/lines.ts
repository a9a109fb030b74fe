/** Divides the text of a paragraph into lines. */
import type { Inline, Paragraph } from './blocks.js';
import { widthOf, type TextStyle } from './font.js';

/** Text of one style within a line. */
export interface Piece {
  text: string;
  style: TextStyle;
  width: number;
  isSpace: boolean;
}

export interface Line {
  pieces: Piece[];
  width: number;
}

const WIDE = '\\u2e80-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef';
/** Spaces, words up to and with hyphens, and single ideographs. */
const PARTS = new RegExp(` +|[${WIDE}]|[^ ${WIDE}-]*-+|[^ ${WIDE}-]+`, 'gu');
/** A line may be broken after an ideograph, and after a hyphen unless a number follows. */
const BREAKS_AFTER = new RegExp(`(-|[${WIDE}])$`, 'u');

/** Lines of a paragraph that are drawn. */
const MAX_LINES = 2_000;

class LineBuilder {
  readonly lines: Line[] = [];
  private line: Line = { pieces: [], width: 0 };
  /** Parts after the last place at which the line may be broken: a word may have several styles. */
  private word: Piece[] = [];
  private wordWidth = 0;
  /** The space that a character of the text left open. */
  private endsWithSpace = true;

  constructor(private readonly most: number) {}

  add(text: string, style: TextStyle): void {
    for (const { 0: part, index } of text.matchAll(PARTS)) {
      const isSpace = part[0] === ' ';
      if (isSpace) {
        this.endWord();
        if (!this.endsWithSpace) this.push({ text: ' ', style, width: widthOf(' ', style), isSpace });
        this.endsWithSpace = true;
        continue;
      }
      this.endsWithSpace = false;
      const piece = { text: part, style, width: widthOf(part, style), isSpace: false };
      this.word.push(piece);
      this.wordWidth += piece.width;
      if (BREAKS_AFTER.test(part) && !/\d/.test(text[index + part.length] ?? '')) this.endWord();
    }
  }

  private endWord(): void {
    if (this.word.length === 0) return;
    if (this.line.width + this.wordWidth > this.most + 0.01 && this.line.pieces.some(({ isSpace }) => !isSpace))
      this.endLine();
    for (const piece of this.word) this.push(piece);
    this.word = [];
    this.wordWidth = 0;
    this.endsWithSpace = false;
  }

  private push(piece: Piece): void {
    const last = this.line.pieces.at(-1);
    if (last && last.style === piece.style) {
      last.text += piece.text;
      last.width += piece.width;
      last.isSpace &&= piece.isSpace;
    } else this.line.pieces.push({ ...piece });
    this.line.width += piece.width;
  }

  /** Ends the line without the spaces at its end. */
  private endLine(): void {
    const { pieces } = this.line;
    for (let last = pieces.at(-1); last?.text.endsWith(' '); last = pieces.at(-1)) {
      const kept = last.text.trimEnd();
      const less = last.width - widthOf(kept, last.style);
      this.line.width -= less;
      if (kept !== '') {
        last.text = kept;
        last.width -= less;
        break;
      }
      pieces.pop();
    }
    if (this.lines.length < MAX_LINES) this.lines.push(this.line);
    this.line = { pieces: [], width: 0 };
    this.endsWithSpace = true;
  }

  /** Ends the line at a break of the text. @param style of the break, which gives an empty line its height */
  breakLine(style: TextStyle): void {
    this.endWord();
    if (this.line.pieces.length === 0) this.line.pieces.push({ text: '', style, width: 0, isSpace: false });
    this.endLine();
  }

  end(): Line[] {
    this.endWord();
    if (this.line.pieces.length > 0) this.endLine();
    return this.lines;
  }
}

/** Lines of a paragraph. @param most width in px; text that has no place to be broken is wider */
export function linesOf(
  { inlines, wraps }: Pick<Paragraph, 'wraps'> & { inlines: readonly Inline[] },
  most: number,
): Line[] {
  const builder = new LineBuilder(wraps ? most : Infinity);
  for (const inline of inlines) {
    if (inline.kind === 'break') builder.breakLine(inline.style);
    else builder.add(inline.text, inline.style);
  }
  return builder.end();
}
