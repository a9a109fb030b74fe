import type { DocumentStatus } from '@lintel/sdk';
import { linksOf } from './links.js';

/** Maximum number of characters of a line that are parsed. */
const MOST_LINE = 4_000;
const SETTLED = /^(accepted|approved|decided|adopted|agreed|implemented|done|final|active)\b/;
const OUT_OF_FORCE = /^(super[cs]e+ded|replaced|deprecated|obsoleted?|retired|withdrawn)\b/;

/** A status without braces, quotes, emoji and emphasis. */
export function plainStatus(text: string): string {
  return text
    .slice(0, MOST_LINE)
    .replace(/[{}"'*_`]/g, ' ')
    .replace(/[^\p{L}\p{N}\p{P}\p{S}\s]|\p{Extended_Pictographic}|\uFE0F/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Maps a record's status text: accepted is in force, superseded or deprecated is not in force any more, and everything
 * else, including rejected, is a draft. A list of alternatives from a template is a draft as well.
 */
export function statusOf(text: string): Extract<DocumentStatus, 'draft' | 'signed' | 'superseded'> {
  const plain = plainStatus(text).toLowerCase();
  if (plain.includes(' | ')) return 'draft';
  return SETTLED.test(plain) ? 'signed' : OUT_OF_FORCE.test(plain) ? 'superseded' : 'draft';
}

/** A reference to another record; by file, by number, or both. */
export interface Reference {
  type: 'supersedes' | 'superseded_by' | 'relates_to';
  /** Relative, as in the link. */
  path?: string;
  number?: number;
}

const NAMED = /(?:\bADR[-_ #]{0,3}|#|\b)(\d{1,6})\b/gi;

function typeOf(text: string): Reference['type'] | undefined {
  if (/\b(super[cs]e+ded|replaced|obsoleted)\s+by\b/i.test(text)) return 'superseded_by';
  if (/\b(super[cs]e+des|replaces|obsoletes)\b/i.test(text)) return 'supersedes';
  return /\b(relate[sd]? to|amend(?:s|ed by)|clarifie[sd]|extends|see also)\b/i.test(text) ? 'relates_to' : undefined;
}

/** The number in a record's file name: `0005-use-dashes.md`, `adr-12.md`. */
export function numberOfFile(path: string): number | undefined {
  const digits = /^(?:adr[-_ ]?)?(\d{1,6})(?!\d)/i.exec(path.split('/').at(-1)!)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The records referenced in a line.
 * @param isList whether a link without a relation word counts as `relates_to`
 */
export function referencesOf(line: string, isList: boolean): Reference[] {
  const text = line.slice(0, MOST_LINE);
  const type = typeOf(text) ?? (isList ? 'relates_to' : undefined);
  if (type === undefined) return [];
  const links = linksOf(text).flatMap(({ target }): Reference[] => {
    const path = target.split(/[?#]/)[0]!;
    if (!/\.(md|markdown)$/i.test(path) || /^[a-z][a-z+.-]*:|^\//i.test(path)) return [];
    const number = numberOfFile(path);
    return [{ type, path: decoded(path), ...(number !== undefined && { number }) }];
  });
  if (links.length > 0 || typeOf(text) === undefined) return links;
  // Without a link: the text after the relation word.
  const after = text
    .slice(text.search(/\b(by|super[cs]e+des|replaces|obsoletes|to|amends|extends|also)\b/i))
    .slice(0, 500);
  return [...after.matchAll(NAMED)]
    .filter(([whole]) => /^(ADR|#|0)/i.test(whole))
    .map(([, digits]) => ({ type, number: Number(digits) }));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
