/** The frame of a picture: title, subtitle, the content and the notes below it, as a whole SVG document. */
import {
  ascent,
  at,
  clean,
  element,
  escapeXml,
  lineHeight,
  rect,
  rounded,
  textBlock,
  textHeight,
  type TextStyle,
  wrap,
} from '@lintel/sdk/drawing';
import type { Picture } from '@lintel/sdk';
import { more, unitOf, type Canvas, type Drawn } from './canvas.js';

const FONTS = 'DejaVu Sans, Verdana, sans-serif';
const MAX_NOTES = 12;
const MAX_DESCRIPTION = 10_000;

/** The width that a content has, in units of the picture, for a picture of so many px. */
export function contentWidth(width: number): { margin: number; content: number; unit: number } {
  const unit = unitOf(width);
  const margin = width < 700 ? 16 : 36;
  return { margin, content: width / unit - 2 * margin, unit };
}

/** Blocks of text below each other. */
class Column {
  readonly #parts: string[] = [];
  constructor(
    private readonly x: number,
    public y: number,
    private readonly width: number,
  ) {}

  add(content: string, maxLines: number, style: TextStyle): void {
    const block = wrap(content, this.width, maxLines, style);
    this.#parts.push(textBlock(this.x, this.y + ascent(style.size), block, style));
    this.y += textHeight(block.lines.length, style.size) + (block.lines.length > 0 ? lineHeight(style.size) * 0.2 : 0);
  }

  toString(): string {
    return this.#parts.join('');
  }
}

/** The document of a picture around its drawn content. @param width of the picture in px */
export function frame(picture: Picture, drawn: Drawn, width: number, canvas: Canvas): string {
  const { margin, content, unit } = contentWidth(width);
  const { theme } = canvas;
  const isNarrow = content < 660;
  const head = new Column(margin, margin * 0.8, content);
  head.add(picture.title, 2, { size: isNarrow ? 19 : 25, bold: true, fill: theme.ink });
  head.add(picture.subtitle ?? '', 3, { size: isNarrow ? 13 : 15, fill: theme.soft });
  const top = head.y + 18;
  const foot = new Column(margin, top + drawn.height + 18, content);
  const notes = [...drawn.left, ...(picture.notes ?? [])];
  for (const note of notes.slice(0, MAX_NOTES)) foot.add(note, 3, { size: 12, fill: theme.soft });
  for (const note of more(notes.length - MAX_NOTES, 'notes', canvas)) foot.add(note, 1, { size: 12, fill: theme.soft });
  const height = Math.ceil(notes.length === 0 ? top + drawn.height + margin * 0.8 : foot.y + margin * 0.6);
  const [title, description] = [canvas.id('title'), canvas.id('description')];
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height: height * unit,
      viewBox: `0 0 ${rounded(width / unit)} ${height}`,
      role: 'img',
      'aria-labelledby': `${title} ${description}`,
      'font-family': FONTS,
    },
    element('title', { id: title }, escapeXml(clean(picture.title) || '–')),
    element('desc', { id: description }, escapeXml(clean(picture.description, MAX_DESCRIPTION) || '–')),
    rect(0, 0, width / unit, height, { fill: theme.background }),
    head.toString(),
    at(margin, top, drawn.body),
    foot.toString(),
  );
}
