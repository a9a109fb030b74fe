/** Several pictures in frames with a heading each, two side by side where there is room. */
import { at, type Block, rect, textBlock, textHeight, wrap } from '@lintel/sdk/drawing';
import type { PanelsPicture, SinglePicture } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { emptyDrawing } from './legend.js';

const MAX_PANELS = 24;
const GAP = 18;
const PADDING = 18;
const MIN_WIDTH_FOR_TWO = 860;
const [HEADING, NOTE] = [
  { size: 16, bold: true },
  { size: 12, bold: false },
];

type Panel = PanelsPicture['panels'][number];
type DrawSingle = (content: SinglePicture, width: number, canvas: Canvas) => Drawn | Promise<Drawn>;

/** The panels that stand side by side, line by line. */
function linesOf(panels: readonly Panel[], width: number): Panel[][] {
  const lines: Panel[][] = [];
  for (const panel of panels) {
    const last = lines.at(-1);
    const hasRoom = width >= MIN_WIDTH_FOR_TWO && !panel.isWide && last?.length === 1 && !last[0]!.isWide;
    if (hasRoom) last.push(panel);
    else lines.push([panel]);
  }
  return lines;
}

interface Prepared {
  heading: Block;
  notes: readonly Block[];
  drawn: Drawn;
  height: number;
}

async function prepare(panel: Panel, inner: number, canvas: Canvas, draw: DrawSingle): Promise<Prepared> {
  const heading = wrap(panel.title, inner, 2, HEADING);
  const drawn = await draw(panel.picture, inner, canvas);
  const notes = [...drawn.left, ...(panel.note ? [panel.note] : [])]
    .slice(0, 6)
    .map((one) => wrap(one, inner, 3, NOTE));
  const below = notes.reduce((sum, { lines }) => sum + textHeight(lines.length, NOTE.size) + 4, 0);
  const above = textHeight(heading.lines.length, HEADING.size) + 14;
  return { heading, notes, drawn, height: PADDING * 2 + above + drawn.height + (below > 0 ? below + 10 : 0) };
}

function drawPanel({ heading, notes, drawn }: Prepared, width: number, height: number, { theme }: Canvas): string {
  const above = PADDING + textHeight(heading.lines.length, HEADING.size) + 14;
  let y = above + drawn.height + 10;
  return [
    rect(0.5, 0.5, width - 1, height - 1, { rx: 8, fill: theme.background, stroke: theme.line }),
    textBlock(PADDING, PADDING + 14, heading, { ...HEADING, fill: theme.ink }),
    at(PADDING, above, drawn.body),
    ...notes.map((note) => {
      const lines = textBlock(PADDING, y + 12, note, { ...NOTE, fill: theme.soft });
      y += textHeight(note.lines.length, NOTE.size) + 4;
      return lines;
    }),
  ].join('');
}

/** Draws panels; at most 24. */
export async function drawPanels(
  { panels }: PanelsPicture,
  width: number,
  canvas: Canvas,
  draw: DrawSingle,
): Promise<Drawn> {
  if (panels.length === 0) return emptyDrawing(width, canvas);
  const parts: string[] = [];
  let y = 0;
  for (const row of linesOf(panels.slice(0, MAX_PANELS), width)) {
    const own = row.length === 2 ? (width - GAP) / 2 : width;
    const prepared: Prepared[] = [];
    for (const panel of row) prepared.push(await prepare(panel, own - 2 * PADDING, canvas, draw));
    const height = Math.max(...prepared.map((one) => one.height));
    parts.push(...prepared.map((one, i) => at(i * (own + GAP), y, drawPanel(one, own, height, canvas))));
    y += height + GAP;
  }
  return { body: parts.join(''), height: y - GAP, left: more(panels.length - MAX_PANELS, 'panels', canvas) };
}
