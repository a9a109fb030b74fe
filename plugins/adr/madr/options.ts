import type { AdrOption } from '../model.js';
import { itemsOf, type Item, type Line, type LinesIn, type Section } from './lines.js';
import { unlinked } from './links.js';

/** An option with the positions of its parts in the source. */
export interface FoundOption extends AdrOption {
  /** Its item in the list of considered options. */
  item?: Item;
  /** Its own section. */
  block?: Section;
  /** The items parsed as its pros and cons. */
  points: Item[];
}

/** Maximum number of characters of a heading or item that are searched for a title. */
const MOST_TITLE = 2_000;
const GOOD = /^(?:\*\*|__)?good\b(?:\*\*|__)? ?[,:]? ?(?:because\b ?)?/i;
const BAD = /^(?:\*\*|__)?bad\b(?:\*\*|__)? ?[,:]? ?(?:because\b ?)?/i;
const LABEL = /^\W{0,4}(pros?|cons?|advantages?|disadvantages?|benefits?|drawbacks?)\W{0,4}$/i;

/** Normalised title for comparison: without links, markup and punctuation. */
const keyOf = (title: string): string =>
  unlinked(title)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const ordinal = (key: string): string | undefined => /^(?:option|alternative) (\d{1,3}|[a-z])(?: |$)/.exec(key)?.[1];

/** One line of 1 to 300 characters, without control characters; undefined where nothing is left. */
export function lineOf(text: string): string | undefined {
  const line = unlinked(text.slice(0, MOST_TITLE))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed()
    .trim();
  return line === '' ? undefined : line;
}

const pointOf = (text: string): string => text.trim().slice(0, 2_000).toWellFormed();
const modeOf = (text: string): 'pros' | 'cons' | undefined => {
  const label = LABEL.exec(text.trim())?.[1]?.toLowerCase();
  return label === undefined ? undefined : /^(pro|adv|ben)/.test(label) ? 'pros' : 'cons';
};
/** The continuation lines of an item as separate lines, to find a nested list. */
const inner = (text: string): Line[] =>
  text
    .split('\n')
    .slice(1)
    .map((line) => ({ text: line, start: 0, end: 0, isOpaque: false }));

/** Pros and cons in the lines of an option: "Good, because …", or lists below the words Pros and Cons. */
function pointsOf(lines: readonly Line[]): Pick<FoundOption, 'pros' | 'cons' | 'points'> {
  const found: Pick<FoundOption, 'pros' | 'cons' | 'points'> = { pros: [], cons: [], points: [] };
  const take = (list: 'pros' | 'cons', text: string) => {
    if (text.trim() !== '' && found[list].length < 100) found[list].push(pointOf(text));
  };
  const items = itemsOf(lines);
  const labels = lines
    .filter((line) => !line.isOpaque)
    .map((line) => ({
      start: line.start,
      mode: modeOf(line.text.replace(/^ {0,3}#{1,6}/, '')),
      isText: line.text.trim() !== '',
    }));
  let at = 0;
  let mode: 'pros' | 'cons' | undefined;
  let last = -1;
  for (const item of items) {
    for (; at < labels.length && labels[at]!.start < item.start; at++)
      if (labels[at]!.isText && labels[at]!.start >= last) mode = labels[at]!.mode;
    last = item.end;
    const own = modeOf(item.text.split('\n')[0]!);
    if (own) {
      const nested = itemsOf(inner(item.text));
      for (const { text } of nested) take(own, text);
      if (nested.length > 0) found.points.push(item);
      else mode = own;
      continue;
    }
    const list = GOOD.test(item.text) ? 'pros' : BAD.test(item.text) ? 'cons' : mode;
    if (list === undefined) continue;
    take(list, item.text.replace(list === 'pros' ? GOOD : BAD, ''));
    found.points.push(item);
  }
  return found;
}

/** The listed option to which a heading belongs. @param keys of the titles of the options */
function match(
  options: readonly FoundOption[],
  keys: ReadonlyMap<FoundOption, string>,
  title: string,
): FoundOption | undefined {
  const key = keyOf(title);
  const free = options.filter((option) => !option.block).map((option) => ({ option, own: keys.get(option)! }));
  const n = ordinal(key);
  const found =
    free.find(({ own }) => own === key) ??
    (n === undefined ? undefined : free.find(({ own }) => ordinal(own) === n)) ??
    (key.length < 8
      ? undefined
      : free.find(({ own }) => own.startsWith(key) || (own.length >= 8 && key.startsWith(own))));
  return found?.option;
}

/**
 * The options of a document: listed ones, and those with a section of their own.
 * @param listed lines of the list
 * @param blocks sections of single options
 * @param linesIn returns the lines of a range
 */
export function optionsOf(listed: readonly Line[], blocks: readonly Section[], linesIn: LinesIn): FoundOption[] {
  const options: FoundOption[] = [];
  for (const item of itemsOf(listed)) {
    if (options.length === 50) break;
    const title = lineOf(item.text.split('\n')[0]!);
    if (title !== undefined) options.push({ title, pros: [], cons: [], points: [], item });
  }
  const keys = new Map(options.map((option) => [option, keyOf(option.title)]));
  const apart: FoundOption[] = [];
  for (const block of blocks.slice(0, 200)) {
    const title = lineOf(block.title);
    if (title === undefined || modeOf(title)) continue;
    const points = pointsOf(linesIn(block.body, block.end));
    const option = match(options, keys, title);
    if (option) Object.assign(option, points, { block });
    else apart.push({ title, ...points, block });
  }
  // If the numbers of unmatched options and sections are equal, they are matched in order.
  const open = options.filter((option) => !option.block);
  if (open.length === apart.length)
    for (const [i, option] of open.entries())
      Object.assign(option, {
        pros: apart[i]!.pros,
        cons: apart[i]!.cons,
        points: apart[i]!.points,
        block: apart[i]!.block,
      });
  else options.push(...apart.slice(0, 50 - options.length));
  return options;
}
