/** Texts of users made safe, shortened and wrapped to a width. */
import { measure, type Font } from './font.js';

/** Characters of a text that are considered: no line of a picture shows as many. */
const MAX_LENGTH = 1_000;

/** Control characters, noncharacters and those that change the direction of the text around them. */
const REMOVED = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/** Text without line breaks and without characters that XML or the picture cannot contain. @param most characters */
export function clean(text: string, most = MAX_LENGTH): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.toWellFormed().replace(/\s+/gu, ' ').replace(REMOVED, '').trim();
}

/** Text as the content of an element or the value of an attribute. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A text laid out in lines. */
export interface Block {
  lines: readonly string[];
  /** The whole text. */
  full: string;
  /** Whether the lines show less than the whole text. */
  isCut: boolean;
  /** Whether a word was divided between two lines, or shortened. */
  isBroken: boolean;
  /** Whether a word was divided where it has no parts. */
  isTorn: boolean;
}

/** The parts of a text between which it may be cut, so that no character loses its marks. */
function partsOf(text: string): string[] {
  // ASCII text needs no segmentation, which is slow.
  if (/^[ -~…]*$/.test(text)) return [...text];
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

/** The longest beginning of a text that fits, at least one character. @returns the beginning and the rest */
function split(text: string, width: number, font: Font): [string, string] {
  const parts = partsOf(text);
  let [taken, used] = [0, 0];
  while (taken < parts.length) {
    used += measure(parts[taken]!, font);
    if (used > width && taken > 0) break;
    taken++;
  }
  return [parts.slice(0, taken).join(''), parts.slice(taken).join('')];
}

/** One line of a text, with `…` at its end if it is wider than `width`. */
export function shorten(text: string, width: number, font: Font): Block {
  const full = clean(text);
  if (measure(full, font) <= width)
    return { lines: full === '' ? [] : [full], full, isCut: false, isBroken: false, isTorn: false };
  const room = width - measure('…', font);
  const begin = room <= 0 ? '' : split(full, room, font)[0].trimEnd();
  const line = measure(`${begin}…`, font) <= width ? `${begin}…` : measure('…', font) <= width ? '…' : '';
  return { lines: line === '' ? [] : [line], full, isCut: true, isBroken: true, isTorn: false };
}

/** Places at which a long word may be divided: after punctuation, and before a capital letter after a small one. */
const DIVISIONS = /(?<=[-/_.,:;)\]&+])(?=.)|(?<=\p{Ll})(?=\p{Lu})/u;

/** A word in pieces that fit into a line; divided where it has parts, otherwise anywhere. */
function piecesOf(word: string, width: number, font: Font): { pieces: string[]; isTorn: boolean } {
  const pieces: string[] = [];
  let isTorn = false;
  for (const part of word.split(DIVISIONS)) {
    const last = pieces.at(-1);
    if (last !== undefined && measure(last + part, font) <= width) {
      pieces[pieces.length - 1] = last + part;
      continue;
    }
    for (let rest = part; rest !== ''; ) {
      const [piece, after] = split(rest, width, font);
      pieces.push(piece);
      rest = after;
      isTorn ||= after !== '';
    }
  }
  return { pieces, isTorn };
}

/** A text in at most `maxLines` lines of `width` px, the last with `…` at its end if there is more. */
export function wrap(text: string, width: number, maxLines: number, font: Font): Block {
  const full = clean(text);
  const lines: string[] = [];
  let [isBroken, isTorn] = [false, false];
  for (const word of full.split(' ').filter((one) => one !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && measure(`${last} ${word}`, font) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
      continue;
    }
    const isWide = measure(word, font) > width;
    isBroken ||= isWide;
    const divided = isWide ? piecesOf(word, width, font) : { pieces: [word], isTorn: false };
    lines.push(...divided.pieces);
    isTorn ||= divided.isTorn;
    if (lines.length > maxLines) break;
  }
  if (lines.length <= maxLines && lines.every((line) => measure(line, font) <= width))
    return { lines, full, isCut: false, isBroken, isTorn };
  const shown = lines.slice(0, maxLines);
  const tail = shown.pop() ?? '';
  const end = shorten(`${tail}${lines.length > maxLines ? '…' : ''}`, width, font).lines;
  return { lines: [...shown, ...end], full, isCut: true, isBroken: true, isTorn };
}

/** The width of the widest line of a block. */
export const widthOf = ({ lines }: Block, font: Font): number =>
  lines.reduce((widest, line) => Math.max(widest, measure(line, font)), 0);
