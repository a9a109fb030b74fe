/** Fonts of the operator for images, besides those of the platform. Threads that start later know them too. */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const KEY = 'lintel.fonts';

/** Sets the fonts of this process and of the threads that it starts from now on. @param files absolute paths; none removes them */
export function setExtraFonts(files: readonly string[]): void {
  setEnvironmentData(KEY, files.length > 0 ? [...files] : undefined);
}

/** Absolute paths of font files. */
export const extraFonts = (): readonly string[] => (getEnvironmentData(KEY) as readonly string[] | undefined) ?? [];
