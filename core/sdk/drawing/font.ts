/** The widths of the characters of DejaVu Sans, read from its files: the PNG is drawn with the same files. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Paths of the font files: regular and bold. */
export const FONT_FILES: readonly [string, string] = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
];

/** Characters without a width of their own: combining marks and formatting characters. */
const ZERO = /^[\p{M}\p{Cf}]$/u;
/** The width, in em, of a character that the font does not have, such as an ideograph or an emoji. */
const UNKNOWN_WIDTH = 1.1;
const JOINER = 0x200d;

/** The offsets of the tables of a font file, by name. */
function tablesOf(file: Buffer): Map<string, number> {
  const tables = new Map<string, number>();
  for (let i = 0, at = 12; i < file.readUInt16BE(4); i++, at += 16)
    tables.set(file.toString('latin1', at, at + 4), file.readUInt32BE(at + 8));
  return tables;
}

/** Glyph numbers by code point, from the table of format 12, which has all characters in groups. */
function glyphsOf(file: Buffer, cmap: number): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let i = 0; i < file.readUInt16BE(cmap + 2); i++) {
    const table = cmap + file.readUInt32BE(cmap + 4 + i * 8 + 4);
    if (file.readUInt16BE(table) !== 12) continue;
    for (let n = 0, at = table + 16; n < file.readUInt32BE(table + 12); n++, at += 12) {
      const [first, last, glyph] = [file.readUInt32BE(at), file.readUInt32BE(at + 4), file.readUInt32BE(at + 8)];
      for (let code = first; code <= last; code++) glyphs.set(code, glyph + code - first);
    }
    return glyphs;
  }
  throw new Error('The font has no character map of format 12.');
}

/** Reads the advance widths of a TrueType font, as a function from a code point to em. */
function widthsOf(path: string): (code: number) => number {
  const file = readFileSync(path);
  const tables = tablesOf(file);
  const unitsPerEm = file.readUInt16BE(tables.get('head')! + 18);
  const measured = file.readUInt16BE(tables.get('hhea')! + 34);
  const widths = tables.get('hmtx')!;
  const glyphs = glyphsOf(file, tables.get('cmap')!);
  const known = new Map<number, number>();
  return (code) => {
    let width = known.get(code);
    if (width !== undefined) return width;
    const glyph = glyphs.get(code);
    if (ZERO.test(String.fromCodePoint(code))) width = 0;
    else if (glyph === undefined) width = UNKNOWN_WIDTH;
    // All glyphs after the last measured one have its width.
    else width = file.readUInt16BE(widths + Math.min(glyph, measured - 1) * 4) / unitsPerEm;
    known.set(code, width);
    return width;
  };
}

/** Regular and bold, read with the first measurement: who only queues work for a thread measures nothing. */
let fonts: ((code: number) => number)[] | undefined;

/** Size in px, and weight, of a text. */
export interface Font {
  size: number;
  bold?: boolean | undefined;
}

/** The width of a text in px, without kerning. */
export function measure(text: string, font: Font): number {
  fonts ??= FONT_FILES.map(widthsOf);
  const widthOf = fonts[font.bold ? 1 : 0]!;
  let [width, isJoined] = [0, false];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    // An emoji of several people or with a colour of the skin is one glyph.
    if (!isJoined && !(code >= 0x1f3fb && code <= 0x1f3ff)) width += widthOf(code);
    isJoined = code === JOINER;
  }
  return width * font.size;
}
