/** Shows a stored file to a reader, as XML or drawn. Runs in the worker. */
import { pngOf } from '@lintel/sdk/drawing';
import { drawDrawio } from '../drawing/draw.js';
import { writeDrawio } from '../drawio/write.js';
import { derive } from './derive.js';
import type { ShowOrder, Shown } from './orders.js';
import { ownBytes } from './own-bytes.js';
import { openStored } from './save.js';

/** The page of a card, for each shape of a card that the reader sees, by id of the cell. */
function linksOf({ stored, states, publicUrl }: ShowOrder, page: number): Record<string, string> {
  if (publicUrl === undefined) return {};
  return Object.fromEntries(
    stored.shapes.flatMap((shape) =>
      shape.page === page && states.get(shape.card)?.kind === 'visible'
        ? [[shape.cell, `${publicUrl}/api/v1/cards/${shape.card}`] as const]
        : [],
    ),
  );
}

/** @throws if the file does not have the page, which is checked before */
export function show(order: ShowOrder): Shown {
  const { stored, states, publicUrl, output } = order;
  const file = openStored(stored);
  derive(file, stored, states, publicUrl);
  if (output.as === 'drawio') {
    const { compressed } = output;
    const bytes = ownBytes(writeDrawio(file, compressed === undefined ? {} : { compressed }));
    return { bytes, width: 0, height: 0, notDrawable: [] };
  }
  const { as, page, width, theme, title, language } = output;
  // An image has no links.
  const links = as !== 'png';
  const drawn = drawDrawio(file, {
    page,
    width,
    theme,
    title,
    language,
    links,
    publicUrl,
    cellLinks: linksOf(order, page),
  });
  if (!drawn) throw new Error(`The file has no page ${page}.`);
  const bytes =
    as === 'svg'
      ? ownBytes(Buffer.from(drawn.svg))
      : as === 'png'
        ? pngOf(drawn.svg, { width: Math.max(1, Math.round(drawn.width)) })
        : new Uint8Array();
  return { bytes, width: drawn.width, height: drawn.height, notDrawable: drawn.notDrawable };
}
