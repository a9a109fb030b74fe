/** The two shapes of nested boxes: filled boxes and frames with a heading. */
import { ascent, at, clean, mix, rect, shorten, textBlock, textHeight, widthOf, wrap } from '@lintel/sdk/drawing';
import type { Canvas } from './canvas.js';
import { icon, isIcon } from './icons.js';
import type { Tree } from './nested.js';
import { colorOr, filled } from './theme.js';

/** Something laid out that can be drawn higher than it needs to be. */
export interface Part {
  height: number;
  draw(height: number): string;
}

const LEAF = { size: 12 };
const NOTE = { size: 11 };
const SHORT_NOTE = 48;
/** Least heights of a filled box, and the space above and below its texts. */
const [LEAST, AROUND] = [30, 14];
const [DENSE_LEAST, DENSE_AROUND] = [22, 8];
const PADDING = [12, 9, 7] as const;
const HEADING = [15, 13, 12] as const;
/** An icon is larger than the letters beside it, and has a space after it. */
const [ICON, ICON_GAP] = [1.3, 5];

/** A filled box with its label in the middle. */
export function leafPart({ box, isDense }: Tree, width: number, canvas: Canvas): Part {
  const { theme } = canvas;
  const { fill, ink } = filled(colorOr(box.color, mix(theme.accent, theme.background, 0.8)));
  const label = wrap(box.label, width - 14, 3, LEAF);
  const note = wrap(box.note ?? '', width - 14, 1, NOTE);
  const [first, second] = [textHeight(label.lines.length, LEAF.size), textHeight(note.lines.length, NOTE.size)];
  const used = first + (second > 0 ? second + 2 : 0);
  return {
    height: isDense ? Math.max(used + DENSE_AROUND, DENSE_LEAST) : Math.max(used + AROUND, LEAST),
    draw: (height) => {
      const y = (height - used) / 2;
      const style = { fill: ink, anchor: 'middle' as const };
      return canvas.link(
        box.href,
        rect(0.5, 0.5, width - 1, height - 1, { rx: 4, fill, stroke: mix(fill, theme.ink, 0.18) }),
        textBlock(width / 2, y + ascent(LEAF.size), label, { ...LEAF, ...style }),
        textBlock(width / 2, y + first + 2 + ascent(NOTE.size), note, { ...NOTE, ...style }),
      );
    },
  };
}

/** The colours of a frame: a given colour tints it; otherwise the levels alternate. */
function colorsOf({ box, depth }: Tree, { theme }: Canvas): { fill: string; stroke: string; bar: string | undefined } {
  const own = colorOr(box.color, '');
  if (own !== '') return { fill: mix(own, theme.background, 0.88), stroke: mix(own, theme.background, 0.4), bar: own };
  const fill = depth % 2 === 0 ? theme.faint : theme.background;
  return { fill, stroke: depth === 0 ? theme.line : theme.faintLine, bar: undefined };
}

/** A frame with a heading. @param arrange lays out what is inside, for its width; undefined for nothing */
export function containerPart(
  tree: Tree,
  width: number,
  canvas: Canvas,
  arrange: (width: number) => Part | undefined,
): Part {
  const { theme } = canvas;
  const { box, depth, omitted, children, isDense } = tree;
  // In a dense map, the upper levels look like the third one.
  const level = isDense ? 2 : Math.min(depth, 2);
  const padding = PADDING[level]!;
  const font = { size: HEADING[level]!, bold: true };
  const inner = width - 2 * padding;
  const content = arrange(inner);
  const hidden = omitted + (content ? 0 : children.length);
  const counted = hidden > 0 ? `+${canvas.number(hidden)}` : '';
  const note = shorten([box.note ?? '', counted].filter((one) => one !== '').join(' '), inner, NOTE);
  const size = font.size * ICON;
  const indent = isIcon(box.icon) && inner > 4 * size && clean(box.label) !== '' ? size + ICON_GAP : 0;
  // A number stands at the right of a heading of one line; longer notes below it, so that neighbours look alike.
  const beside = wrap(box.label, inner - indent - widthOf(note, NOTE) - 10, 1, font);
  const isBeside = note.lines.length > 0 && widthOf(note, NOTE) <= SHORT_NOTE && !beside.isCut;
  const heading = isBeside ? beside : wrap(box.label, inner - indent, 2, font);
  const first = textHeight(heading.lines.length, font.size);
  const second = isBeside ? 0 : textHeight(note.lines.length, NOTE.size);
  const above = padding + first + second + (content ? (isDense ? 5 : 8) : 0);
  const { fill, stroke, bar } = colorsOf(tree, canvas);
  const style = { ...NOTE, fill: theme.soft };
  const baseline = padding + ascent(font.size);
  return {
    height: above + (content?.height ?? 0) + padding,
    draw: (height) =>
      canvas.link(
        box.href,
        rect(0.5, 0.5, width - 1, height - 1, { rx: 5, fill, stroke }),
        bar === undefined ? '' : rect(0.5, 0.5, width - 1, 4, { rx: 2, fill: bar }),
        indent === 0 ? '' : icon(box.icon, padding, baseline - font.size * 0.36 - size / 2, size, theme.ink),
        textBlock(padding + indent, baseline, heading, { ...font, fill: theme.ink }),
        isBeside
          ? textBlock(width - padding, baseline, note, { ...style, anchor: 'end' })
          : textBlock(padding, padding + first + ascent(NOTE.size), note, style),
      ) + (content ? at(padding, above, content.draw(height - above - padding)) : ''),
  };
}
