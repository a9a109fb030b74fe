/** The font files of one image: those of the platform and of its operator, with the characters that the image has. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { extraFonts } from './extra-fonts.js';
import { FontFile } from './font-subset.js';
import { fontFolder } from './font-folder.js';
import { FONT_FILES } from './font.js';

/**
 * Scripts whose characters have one glyph each. Others, such as Arabic, and combining marks need the tables of the whole font.
 */
const SIMPLE =
  /^[\p{sc=Common}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\uac00-\ud7a3]*$/u;
/** Characters by which resvg replaces others: spaces, hyphens, and the circle below a mark. */
const ALWAYS = [0x20, 0xa0, 0x2010, 0x2011, 0x25cc];
/** A file that is older was left by a thread that was ended while it drew. */
const LEFT_MS = 600_000;
const ATTEMPTS = 5;

/** The fonts of the platform, read with the first image. */
let own: readonly FontFile[] | undefined;

/**
 * Draws with fonts that have the characters of a document and no others. A character comes from the first font that has it, so
 * that the fonts of the operator do not replace those of the platform.
 * @param svg the document
 * @param draw gets the paths of the files, which exist until it returns
 */
export function withFonts<T>(svg: string, draw: (files: string[]) => T): T {
  const whole = [...FONT_FILES, ...regularFirst(extraFonts())];
  const text = withoutReferences(svg);
  if (!SIMPLE.test(text)) return draw(whole);
  let written: string[] | undefined;
  try {
    written = store([...fontsFor(text)]);
  } catch {
    // The folder cannot be written, or a font of the platform cannot be read: the image only takes longer.
  }
  try {
    return draw(written ?? whole);
  } finally {
    if (written) remove(written);
  }
}

/** A document in which character references are characters. */
const withoutReferences = (svg: string): string =>
  svg.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/** Writes the files. */
function store(fonts: readonly Buffer[], attempt = 1): string[] {
  const folder = ownFolder();
  try {
    return fonts.map((font, i) => {
      const file = join(folder, `${threadId}-${i}`);
      writeFileSync(file, font, { mode: 0o600 });
      return file;
    });
  } catch (error) {
    // Another thread that has finished may just have removed the folder.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    return store(fonts, attempt + 1);
  }
}

/** Removes the files, and the folder if no other thread has files in it. */
function remove(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
  try {
    rmdirSync(dirname(files[0]!));
  } catch {
    /* it is not empty */
  }
}

/** The contents of the files. */
function* fontsFor(text: string): Generator<Buffer> {
  const codes = new Set(ALWAYS);
  for (const character of text) codes.add(character.codePointAt(0)!);
  own ??= FONT_FILES.map((path) => new FontFile(readFileSync(path)));
  for (const font of own) yield font.subset(codes);
  let missing = [...codes].filter((code) => code > 0x20 && !own!.some((font) => font.has(code)));
  if (missing.length === 0) return;
  for (const path of regularFirst(extraFonts())) {
    if (missing.length === 0) return;
    const font = readable(path);
    const there = missing.filter((code) => font?.has(code));
    if (there.length > 0) yield font!.subset(there);
    missing = missing.filter((code) => !there.includes(code));
  }
}

/** Weights of fonts by path; undefined for files that are no fonts with outlines. */
const weights = new Map<string, number | undefined>();

/** The fonts of which the regular ones come first, because resvg does not choose by weight where a font lacks a character. */
function regularFirst(paths: readonly string[]): string[] {
  for (const path of paths) if (!weights.has(path)) weights.set(path, readable(path)?.weight);
  const distance = (path: string): number => Math.abs((weights.get(path) ?? Number.POSITIVE_INFINITY) - 400);
  return paths.filter((path) => weights.get(path) !== undefined).sort((a, b) => distance(a) - distance(b));
}

/** A font of the operator; undefined if the file is not one, or has no outlines. */
function readable(path: string): FontFile | undefined {
  try {
    return new FontFile(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** The folder of this process for files that are removed after an image. @throws if another user made it */
function ownFolder(): string {
  const folder = fontFolder(process.pid);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (lstatSync(folder).isSymbolicLink() || (process.getuid && uid !== process.getuid()))
    throw new Error(`${folder} is not of this process.`);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > LEFT_MS) rmSync(file, { force: true });
  }
  return folder;
}
