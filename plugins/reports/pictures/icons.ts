/** The icons of card types: outlines of Material Symbols by name, read from their package when the first one is drawn. */
import { element, rounded } from '@lintel/sdk/drawing';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The width and height of all outlines of the set, in their own units. */
const GRID = 24;
const MAX_NAME = 64;
const NAME = /^[a-z\d]+(?:[-_][a-z\d]+)*$/;
/** The longest outline of the set has 2,900 characters; many of a longer one would make a picture too large. */
const MAX_OUTLINE = 4_000;
/** One path with numbers and commands only: nothing else of the package becomes a part of a picture. */
const BODY = /^<path fill="currentColor" d="([\d\s.,eE+\-MmLlHhVvCcSsQqTtAaZz]+)"\/>$/;

interface IconSet {
  icons: Record<string, { body: string }>;
  /** Other names of icons. */
  aliases: Record<string, { parent: string }>;
}
let set: IconSet | undefined;

/** The data of a path from the text of an icon; undefined where it is anything else than one short path. */
export function pathDataOf(body: string): string | undefined {
  return body.length > MAX_OUTLINE ? undefined : BODY.exec(body)?.[1];
}

const entry = <T>(of: Record<string, T>, key: string): T | undefined => (Object.hasOwn(of, key) ? of[key] : undefined);

/** @returns the path of an icon; undefined for a name that is none of the set */
function outlineOf(name: string | undefined): string | undefined {
  if (name === undefined || name.length > MAX_NAME || !NAME.test(name)) return undefined;
  const key = name.replaceAll('_', '-');
  set ??= JSON.parse(readFileSync(require.resolve('@iconify-json/material-symbols/icons.json'), 'utf8')) as IconSet;
  const icon = entry(set.icons, key) ?? entry(set.icons, entry(set.aliases, key)?.parent ?? '');
  return icon && pathDataOf(icon.body);
}

/** Whether there is an icon of this name: only such ones need space. */
export const isIcon = (name: string | undefined): name is string => outlineOf(name) !== undefined;

/**
 * An icon in a square.
 * @param x,y its upper left corner
 * @returns empty for a name that is none of the set
 */
export function icon(name: string | undefined, x: number, y: number, size: number, fill: string): string {
  const d = outlineOf(name);
  if (d === undefined) return '';
  const transform = `translate(${rounded(x)} ${rounded(y)}) scale(${(size / GRID).toFixed(4)})`;
  return element('path', { d, transform, fill });
}
