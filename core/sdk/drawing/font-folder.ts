import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of a process for fonts of the image that it draws. */
export const fontFolder = (pid: number): string => join(tmpdir(), `lintel-fonts-${pid}`);
