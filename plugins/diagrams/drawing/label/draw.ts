/** Draws laid-out labels as SVG. */
import { clean, element, escapeXml, rounded } from '@lintel/sdk/drawing';
import { familiesOf } from './font.js';
import type { Layout, Placed } from './layout.js';

/** What a label needs of the drawing. */
export interface LabelTools {
  /** The address of an image that may be drawn; undefined for none. */
  image(address: string): string | undefined;
  /** The address of a link that may be followed; undefined for none. */
  link(address: string): string | undefined;
}

/** A slant in place of an italic font, which images do not have. */
const SLANT = -12;

function drawText({ x, y, width, text, style }: Extract<Placed, { kind: 'text' }>, tools: LabelTools): string {
  const content = cleanLine(text);
  if (content === '' || style.size <= 0) return '';
  const at = style.italic ? { transform: `translate(${rounded(x)} ${rounded(y)}) skewX(${SLANT})` } : { x, y };
  const drawn = element(
    'text',
    {
      ...at,
      'font-size': style.size,
      'font-weight': style.bold ? 700 : undefined,
      'font-family': familiesOf(style.family),
      fill: style.colour,
      'text-decoration':
        [style.underline ? 'underline' : '', style.strike ? 'line-through' : ''].filter(Boolean).join(' ') || undefined,
      textLength: width > 0 && content.length > 1 ? width : undefined,
      lengthAdjust: width > 0 && content.length > 1 ? 'spacingAndGlyphs' : undefined,
    },
    escapeXml(content),
  );
  const href = style.link === undefined ? undefined : tools.link(style.link);
  return href === undefined ? drawn : element('a', { href }, drawn);
}

/** A line without characters that SVG cannot contain; its spaces stay, as they have been measured. */
function cleanLine(text: string): string {
  const [, before, after] = /^( *)[^]*?( *)$/.exec(text)!;
  const content = clean(text, 5_000);
  return content === '' ? '' : `${'\u00a0'.repeat(before!.length)}${content}${'\u00a0'.repeat(after!.length)}`;
}

/** The elements of a label. @param x of its left edge @param y of its upper edge */
export function drawLayout({ placed }: Layout, x: number, y: number, tools: LabelTools): string {
  const drawn = placed.map((one) => {
    if (one.kind === 'text') return drawText({ ...one, x: one.x + x, y: one.y + y }, tools);
    const { width, height } = one;
    const box = { x: one.x + x, y: one.y + y, width: Math.max(width, 0), height: Math.max(height, 0) };
    if (one.kind === 'area')
      return element('rect', {
        ...box,
        fill: one.fill ?? 'none',
        stroke: one.stroke,
        'stroke-width': one.stroke && one.line,
      });
    const href = tools.image(one.address);
    return href === undefined
      ? element('rect', { ...box, fill: 'none', stroke: '#808080', 'stroke-dasharray': '2 2' })
      : element('image', { ...box, href, preserveAspectRatio: 'none' });
  });
  return drawn.join('');
}
