/** One line of a source with its position; `text` excludes the line end. */
export interface Line {
  text: string;
  start: number;
  /** Position after the line end. */
  end: number;
  /** Within a fenced code block, a comment or raw HTML, which is not part of the document's outline. */
  isOpaque: boolean;
}

/** Gives the lines of a range. */
export type LinesIn = (from: number, to: number) => Line[];

const FENCE = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]) {1,4}){0,4}(`{3,}|~{3,})(.*)$/;
const RAW = /^ {0,3}<(!--|pre|script|style|textarea)(?=[\s>-]|$)/i;

/** An open block and its end marker. */
type Open = { fence: string } | { closing: string };

function opened(text: string): Open | undefined {
  if (!text.includes('```') && !text.includes('~~~') && !text.includes('<')) return undefined;
  const [, fence, info = ''] = FENCE.exec(text) ?? [];
  if (fence !== undefined) return fence.startsWith('`') && info.includes('`') ? undefined : { fence };
  const tag = RAW.exec(text)?.[1]?.toLowerCase();
  if (tag === undefined) return undefined;
  const closing = tag === '!--' ? '-->' : `</${tag}>`;
  return text.toLowerCase().includes(closing) ? undefined : { closing };
}

function closes(open: Open, text: string): boolean {
  if ('closing' in open) return text.toLowerCase().includes(open.closing);
  const bare = text.trim();
  return bare.length >= open.fence.length && bare === open.fence[0]!.repeat(bare.length);
}

/**
 * The lines of a Markdown source, in one pass.
 * @param from start of the document, after its front matter
 */
export function linesOf(source: string, from = 0): Line[] {
  const lines: Line[] = [];
  let open: Open | undefined;
  for (let start = from; start < source.length; ) {
    const feed = source.indexOf('\n', start);
    const end = feed === -1 ? source.length : feed + 1;
    const bare = feed === -1 ? end : source[feed - 1] === '\r' && feed > start ? feed - 1 : feed;
    const text = source.slice(start, bare);
    const wasOpen = open !== undefined;
    if (open) {
      if (closes(open, text)) open = undefined;
    } else open = opened(text);
    lines.push({ text, start, end, isOpaque: wasOpen || open !== undefined });
    start = end;
  }
  return lines;
}

/** A section: a heading with everything below it. */
export interface Section {
  level: number;
  /** As written, without heading markers. */
  title: string;
  /** Start of the heading. */
  start: number;
  /** End of the heading. */
  body: number;
  /** Start of the next heading of the same or a higher level. */
  end: number;
}

/** The text of an ATX heading without its closing markers. */
function headingText(rest: string): string {
  const text = rest.trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end === 0 || /\s/.test(text[end - 1]!) ? text.slice(0, end).trim() : text;
}

function headingAt(lines: readonly Line[], i: number): Omit<Section, 'end'> | undefined {
  const line = lines[i]!;
  if (line.isOpaque || line.text === '') return undefined;
  const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line.text);
  if (marks)
    return {
      level: marks[1]!.length,
      title: headingText(line.text.slice(marks[0].length)),
      start: line.start,
      body: line.end,
    };
  // A setext heading: one paragraph line followed by an underline.
  const below = lines[i + 1];
  const underline =
    below && !below.isOpaque && /^ {0,3}[=-]/.test(below.text)
      ? /^ {0,3}(={2,}|-{3,})[ \t]*$/.exec(below.text)?.[1]
      : undefined;
  if (
    !below ||
    underline === undefined ||
    !/^ {0,3}[^\s|>#<*+-]/.test(line.text) ||
    /^ {0,3}\d+[.)]\s/.test(line.text) ||
    (lines[i - 1]?.text.trim() ?? '') !== ''
  )
    return undefined;
  return { level: underline.startsWith('=') ? 1 : 2, title: line.text.trim(), start: line.start, body: below.end };
}

/** Headings of a document; what follows the last one belongs to it. A record has some dozens. */
const MOST_SECTIONS = 2_000;

/** The headings of a document in order, each with its extent. */
export function sectionsOf(lines: readonly Line[], length: number): Section[] {
  const sections: Section[] = [];
  const above: Section[] = [];
  for (let i = 0; i < lines.length && sections.length < MOST_SECTIONS; i++) {
    const heading = headingAt(lines, i);
    if (!heading) continue;
    while (above.length > 0 && above.at(-1)!.level >= heading.level) above.pop()!.end = heading.start;
    const section = { ...heading, end: length };
    sections.push(section);
    above.push(section);
  }
  return sections;
}

/** An item of a list with its position. */
export interface Item {
  /** Without its marker; further lines are separated by line feeds. */
  text: string;
  start: number;
  end: number;
}

const BULLET = /^( {0,3})((?:[-*+]|\d{1,9}[.)])[ \t]+)(?=\S)/;

/** Items of the top-level lists in these lines; nested lists belong to their items. */
export function itemsOf(lines: readonly Line[]): Item[] {
  const items: Item[] = [];
  let current: { lines: string[]; indent: number; content: number; start: number; end: number } | undefined;
  const finish = () => {
    if (current) items.push({ text: current.lines.join('\n').trim(), start: current.start, end: current.end });
    current = undefined;
  };
  let isAfterBlank = false;
  for (const line of lines) {
    const bullet = line.isOpaque ? null : BULLET.exec(line.text);
    const indent = line.text.length - line.text.trimStart().length;
    if (line.text.trim() === '') {
      isAfterBlank = true;
      continue;
    }
    if (bullet && (!current || indent < current.indent + 2)) {
      finish();
      current = {
        lines: [line.text.slice(bullet[0].length)],
        indent,
        content: bullet[0].length,
        start: line.start,
        end: line.end,
      };
    } else if (
      current &&
      (indent >= current.indent + 2 || (!isAfterBlank && !line.isOpaque && !/^ {0,3}[|>#<]/.test(line.text)))
    ) {
      current.lines.push(line.text.slice(Math.min(indent, current.content)));
      current.end = line.end;
    } else finish();
    isAfterBlank = false;
  }
  finish();
  return items;
}
