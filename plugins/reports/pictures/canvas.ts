/** What every drawing needs besides its content: colours, formats, links and identifiers. */
import { clean, element } from '@lintel/sdk/drawing';
import { createHash } from 'node:crypto';
import type { DrawOptions } from './index.js';
import { themeOf, type Theme } from './theme.js';
import { omitted, wordsOf, type Omitted, type Words } from './words.js';

export interface Canvas {
  readonly theme: Theme;
  /** Pixels of the picture in a unit of its coordinates. */
  readonly unit: number;
  readonly lang: string;
  readonly words: Words;
  /** A number in the language of the picture, with at most two decimals. */
  readonly number: (value: number) => string;
  /** The same in a few characters, with three digits, such as `1.23M`. */
  readonly compact: (value: number) => string;
  /** Drawn elements as a link, where the picture has links and there is an address. */
  link(href: string | undefined, ...children: string[]): string;
  /** An identifier that is unique in a page with several pictures, for the same name the same. */
  id(name: string): string;
  /** 1, 2, 3 and so on, for identifiers of what a picture has several times. */
  next(): number;
}

/** A drawn content, from the coordinates 0, 0. */
export interface Drawn {
  body: string;
  /** In units of the picture. */
  height: number;
  /** Lines for the notes below the picture: what was left out. */
  left: readonly string[];
}

/** The language if it is known to `Intl`, otherwise English. */
function knownLanguage(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** A public address as the prefix of links; undefined if it is none of the web. */
function prefixOf(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined || !/^https?:\/\/[^/]/i.test(publicUrl)) return undefined;
  return publicUrl.replace(/\/+$/, '');
}

/** Wider pictures have more room and larger texts, because they are shrunk to a page or slide again. */
const WIDEST = 1_600;

/** Pixels in a unit of the coordinates of a picture. @param width in px */
export const unitOf = (width: number): number => Math.sqrt(Math.max(width / WIDEST, 1));

/** @param seed what the picture shows: its hash is a part of the identifiers */
export function canvasOf({ theme, width, lang, publicUrl }: DrawOptions, seed: string): Canvas {
  const language = knownLanguage(lang);
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 });
  const prefix = prefixOf(publicUrl);
  const name = createHash('sha256').update(seed.toWellFormed()).digest('hex').slice(0, 8);
  let count = 0;
  return {
    theme: themeOf(theme),
    unit: unitOf(width),
    lang: language,
    words: wordsOf(language),
    number: (value) => numbers.format(value),
    compact: (value) => short.format(value),
    link: (href, ...children) =>
      // An address that does not begin with one slash could lead to another host.
      prefix === undefined || href === undefined || !/^\/(?![/\\])/.test(href)
        ? children.join('')
        : element('a', { href: prefix + clean(href), target: '_blank', rel: 'noopener' }, ...children),
    id: (part) => `p${name}-${part}`,
    next: () => ++count,
  };
}

/** The line for what is left out. @param count 0 for no line */
export const more = (count: number, what: Omitted, { words, lang, number }: Canvas): string[] =>
  count > 0 ? [omitted(words, lang, count, number(count), what)] : [];
