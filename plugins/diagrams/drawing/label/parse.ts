/** Reads the HTML of a label into blocks. */
import { decodeEntities, tokensOf, type HtmlToken } from '../../drawio/index.js';
import { colourOf } from '../style.js';
import {
  newGroup,
  NO_EDGES,
  type Align,
  type Group,
  type Inline,
  type Paragraph,
  type Table,
  type TableCell,
} from './blocks.js';
import { alignOf, borderOf, cssValue, edgesOf, lengthOf, styled } from './css.js';
import { aboveAndBelow, BLOCKS, defaultMargin, elementStyle, VOID, withDefaults } from './elements.js';
import type { TextStyle } from './font.js';

/** How text is set in an element. */
interface Context {
  name: string;
  style: TextStyle;
  align: Align;
  wraps: boolean;
  /** Whether spaces and line breaks are kept. */
  isPre: boolean;
  group: Group;
  list: { isNumbered: boolean; count: number } | undefined;
  table: Table | undefined;
}

type OpenTag = HtmlToken & { kind: 'open' };

/** Elements inside each other; deeper ones are read as text of the last. */
const MAX_DEPTH = 100;
const MAX_TABLES = 3;
/** Characters of a label that are drawn. */
const MAX_TEXT = 20_000;

class LabelReader {
  private readonly open: Context[];
  private paragraph: Paragraph | undefined;
  private length = 0;
  private marker: Paragraph['marker'];
  readonly root = newGroup();

  constructor(style: TextStyle, align: Align, wraps: boolean) {
    this.open = [{ name: '', style, align, wraps, isPre: false, group: this.root, list: undefined, table: undefined }];
  }

  private get now(): Context {
    return this.open.at(-1)!;
  }

  read(html: string): Group {
    for (const token of tokensOf(html)) {
      if (token.kind === 'text') this.text(decodeEntities(token.raw));
      else if (token.kind === 'open') this.start(token);
      else if (token.kind === 'close') this.end(token.name);
    }
    return this.root;
  }

  private inlines(): Inline[] {
    if (!this.paragraph) {
      const { align, wraps, group } = this.now;
      this.paragraph = { kind: 'paragraph', inlines: [], align, wraps, marker: this.marker };
      this.marker = undefined;
      group.blocks.push(this.paragraph);
    }
    return this.paragraph.inlines;
  }

  private text(raw: string): void {
    const { isPre, style } = this.now;
    if (this.length >= MAX_TEXT) return;
    const cut = raw.slice(0, MAX_TEXT - this.length);
    this.length += cut.length;
    if (isPre) {
      for (const [i, line] of cut
        .replaceAll('\t', '    ')
        .split(/\r\n?|\n/)
        .entries()) {
        if (i > 0) this.inlines().push({ kind: 'break', style });
        if (line !== '') this.inlines().push({ kind: 'text', text: line.replaceAll(' ', '\u00a0'), style });
      }
      return;
    }
    const text = cut.replace(/[ \t\r\n\f]+/g, ' ');
    if (text === '' || (text === ' ' && !this.paragraph)) return;
    this.inlines().push({ kind: 'text', text, style });
  }

  private start(token: OpenTag): void {
    const { name } = token;
    const of = (key: string): string | undefined => token.attributes.find((one) => one.name === key)?.value;
    if (name === 'br') this.inlines().push({ kind: 'break', style: this.now.style });
    else if (name === 'hr') this.rule(of);
    else if (name === 'img') this.image(of);
    if (VOID.test(name) || this.open.length > MAX_DEPTH) return;
    // A table is measured several times for each table around it.
    if (name === 'table' && this.open.filter((one) => one.name === 'table').length >= MAX_TABLES) return;
    // A list entry, a paragraph or a cell ends the one before it.
    if (/^(li|p|dt|dd)$/.test(name) && this.now.name === name) this.end(name);
    if (/^(td|th|tr)$/.test(name)) this.endCells(name);
    this.open.push(this.context(name, of));
  }

  private context(name: string, of: (key: string) => string | undefined): Context {
    const { now } = this;
    const css = of('style');
    let style = elementStyle(name, of, now.style);
    if (BLOCKS.test(name) || name === 'table') style = { ...style, background: undefined };
    const next: Context = {
      ...now,
      name,
      style: styled(style, css),
      align: alignOf(css, of('align') ?? (name === 'center' ? 'center' : undefined), now.align),
      isPre: now.isPre || name === 'pre' || /^pre/.test(cssValue(css, 'white-space') ?? ''),
    };
    const whiteSpace = cssValue(css, 'white-space');
    if (whiteSpace !== undefined) next.wraps = !/nowrap|^pre$/.test(whiteSpace);
    if (of('nowrap') !== undefined) next.wraps = false;
    if (BLOCKS.test(name)) this.startBlock(name, css, next);
    else if (name === 'table') this.startTable(css, of, next);
    else if (name === 'tr') next.table?.rows.push([]);
    else if (name === 'td' || name === 'th') this.startCell(css, of, next);
    return next;
  }

  private startBlock(name: string, css: string | undefined, next: Context): void {
    const { size } = next.style;
    const isList = name === 'ul' || name === 'ol';
    const isInner = isList && this.open.some(({ list }) => list !== undefined);
    const margin = isInner ? NO_EDGES : defaultMargin(name, size);
    const group = newGroup(
      withDefaults(edgesOf('margin', css, size), margin),
      withDefaults(edgesOf('padding', css, size), isList ? { ...NO_EDGES, left: 40 } : NO_EDGES),
    );
    group.background = next.style.background;
    next.style = { ...next.style, background: undefined };
    group.border = borderOf(css);
    this.paragraph = undefined;
    this.now.group.blocks.push(group);
    next.group = group;
    if (isList) next.list = { isNumbered: name === 'ol', count: 0 };
    if (name === 'li') {
      const list = this.now.list ?? { isNumbered: false, count: 0 };
      list.count++;
      const depth = this.open.filter((one) => one.name === 'ul').length;
      const bullet = depth > 2 ? '▪' : depth === 2 ? '◦' : '•';
      this.marker = { text: list.isNumbered ? `${list.count}.` : bullet, style: next.style };
    }
  }

  private startTable(css: string | undefined, of: (key: string) => string | undefined, next: Context): void {
    const border = borderOf(css);
    const isBordered = Number(of('border') ?? 0) > 0;
    const table: Table = {
      kind: 'table',
      rows: [],
      spacing: /collapse/.test(cssValue(css, 'border-collapse') ?? '') ? 0 : Number(of('cellspacing') ?? 2) || 0,
      border: border?.colour ?? (isBordered ? '#000000' : undefined),
      background: next.style.background ?? colourOf(of('bgcolor')),
      cellPadding: Math.min(Math.max(Number(of('cellpadding') ?? 1) || 0, 0), 100),
      hasCellBorders: isBordered,
      isFullWidth: (cssValue(css, 'width') ?? of('width') ?? '').trim() === '100%',
      align: this.now.align,
    };
    next.style = { ...next.style, background: undefined };
    this.paragraph = undefined;
    this.now.group.blocks.push(table);
    next.table = table;
    next.align = 'left';
  }

  private startCell(css: string | undefined, of: (key: string) => string | undefined, next: Context): void {
    const { table } = next;
    this.paragraph = undefined;
    if (!table) return;
    if (table.rows.length === 0) table.rows.push([]);
    const content = newGroup();
    const cell: TableCell = {
      content,
      span: Math.max(1, Math.min(Math.floor(Number(of('colspan') ?? 1)) || 1, 50)),
      background: next.style.background ?? colourOf(of('bgcolor')),
      border: borderOf(css)?.colour ?? (table.hasCellBorders ? table.border : undefined),
      padding: lengthOf(cssValue(css, 'padding'), next.style.size) ?? table.cellPadding,
      valign: of('valign') === 'top' ? 'top' : of('valign') === 'bottom' ? 'bottom' : 'middle',
    };
    next.style = { ...next.style, background: undefined };
    if (next.name === 'th' && of('align') === undefined) next.align = alignOf(css, undefined, 'center');
    table.rows.at(-1)!.push(cell);
    next.group = content;
  }

  private endCells(name: string): void {
    const at = this.open.findLastIndex((one) => one.name === 'table');
    const stops = name === 'tr' ? /^(td|th|tr)$/ : /^(td|th)$/;
    const from = this.open.findIndex((one, i) => i > at && stops.test(one.name));
    if (from > 0) this.open.length = from;
    this.paragraph = undefined;
  }

  private end(name: string): void {
    const at = this.open.findLastIndex((one) => one.name === name);
    if (at <= 0) return;
    this.open.length = at;
    if (BLOCKS.test(name) || /^(table|tr|td|th)$/.test(name)) this.paragraph = undefined;
  }

  private rule(of: (key: string) => string | undefined): void {
    const { group, style } = this.now;
    this.paragraph = undefined;
    const css = of('style');
    const margin = withDefaults(edgesOf('margin', css, style.size), aboveAndBelow(style.size / 2));
    const holder = newGroup(margin);
    const border = borderOf(css);
    const height = Math.min(Math.max(Number(of('size') ?? border?.width ?? 1) || 1, 1), 100);
    holder.blocks.push({ kind: 'rule', height, colour: border?.colour ?? colourOf(of('color')) ?? '#808080' });
    group.blocks.push(holder);
  }

  private image(of: (key: string) => string | undefined): void {
    const { group, align, style } = this.now;
    const address = of('src') ?? '';
    const side = (key: string): number | undefined =>
      lengthOf(cssValue(of('style'), key) ?? of(key), style.size) ?? undefined;
    this.paragraph = undefined;
    const [width, height] = [side('width'), side('height')];
    const size = { width: width ?? height ?? 32, height: height ?? width ?? 32 };
    group.blocks.push({ kind: 'picture', address, align, ...size });
  }
}

/** Reads sanitised HTML. */
export const readHtml = (html: string, style: TextStyle, align: Align, wraps: boolean): Group =>
  new LabelReader(style, align, wraps).read(html);

/** Reads plain text: line breaks are kept. */
export function readPlain(text: string, style: TextStyle, align: Align, wraps: boolean): Group {
  const root = newGroup();
  const inlines = text
    .slice(0, MAX_TEXT)
    .split(/\r\n?|\n/)
    .flatMap((line, i): Inline[] => [
      ...(i > 0 ? [{ kind: 'break', style } as const] : []),
      { kind: 'text', text: line, style },
    ]);
  root.blocks.push({ kind: 'paragraph', inlines, align, wraps, marker: undefined });
  return root;
}
