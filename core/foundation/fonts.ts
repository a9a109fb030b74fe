import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** TrueType and OpenType, and collections of them: what images can be drawn with. */
const FONT_FILE = /\.(ttf|otf|ttc|otc)$/i;

/**
 * The fonts for images in the folder of the operator; subfolders are not searched.
 * @param folder absolute path; undefined: no fonts
 * @param warn called with a text where the folder cannot be read, or has no fonts: pictures are drawn without them
 * @returns absolute paths, sorted, so that all nodes prefer the same fonts
 */
export async function fontsOf(folder: string | undefined, warn: (text: string) => void): Promise<string[]> {
  if (folder === undefined) return [];
  try {
    const fonts = (await readdir(folder)).filter((name) => FONT_FILE.test(name)).sort();
    if (fonts.length === 0) warn(`FONT_DIR ${folder} has no files with the extension ttf, otf, ttc or otc`);
    return fonts.map((name) => path.join(folder, name));
  } catch (error) {
    warn(`FONT_DIR ${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
    return [];
  }
}
