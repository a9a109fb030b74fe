import { TimeSlice, type ModuleServices } from '@lintel/sdk';
import type { RecordFields } from './model.js';
import type { AdrFields } from './repository.js';
import type { Settings } from './settings.js';

type Host = ModuleServices<Settings>;

/** Maximum number of characters of a file's Markdown that are searchable. */
const SEARCHED = 200_000;

/** `ADR-0007`, with the currently configured prefix. */
export function numberOf(host: Host, number: number): string {
  return `${host.settings().number_prefix}-${digitsOf(number)}`;
}

export const digitsOf = (number: number): string => String(number).padStart(4, '0');

/** Characters that are folded at once: one character may become eighteen. */
const FOLDED = 4_000;

/** Folds texts as one, in time slices; parts are cut at white space. */
async function foldAll(host: Host, texts: readonly string[], slice: TimeSlice): Promise<string> {
  const folded: string[] = [];
  for (const text of texts)
    for (let at = 0; at < text.length; ) {
      const blank = text.length - at > FOLDED ? text.slice(at, at + FOLDED).search(/\s\S*$/) : -1;
      const end = blank > 0 ? at + blank : at + FOLDED;
      folded.push(host.searchFold(text.slice(at, end).toWellFormed()));
      at = end;
      if (slice.isOver) await slice.next();
    }
  return folded.filter((part) => part !== '').join(' ');
}

/**
 * The content columns of a decision, including those for sorting and searching.
 * @param slice of the work that this is a part of
 */
export async function columnsOf(
  host: Host,
  { title, context, drivers, options, decision, consequences }: RecordFields,
  number: number,
  markdown: string | null,
  slice = new TimeSlice(),
): Promise<AdrFields> {
  const texts = [
    digitsOf(number),
    title,
    context,
    ...drivers,
    ...options.flatMap((o) => [o.title, ...o.pros, ...o.cons]),
    decision,
    consequences,
    markdown?.slice(0, SEARCHED).toWellFormed(),
  ];
  return {
    title,
    context,
    drivers,
    options,
    decision,
    consequences,
    title_key: host.nameKey(title),
    search_text: await foldAll(
      host,
      texts.filter((text) => text !== null && text !== undefined),
      slice,
    ),
  };
}

/** The folded words of a search. A number is found by its digits, because its prefix is configurable. */
export function wordsOf(host: Host, search: string | undefined): string[] {
  const prefix = host.searchFold(host.settings().number_prefix);
  return host
    .searchFold(search ?? '')
    .split(' ')
    .filter((word) => word !== '' && word !== prefix);
}
