/** Custom shapes: `shape=stencil(…)` with a drawing in compressed XML. */
import { inflateText } from './inflate.js';
import { parseXml, type XmlElement } from './xml.js';

/** Bytes, elements and attributes of one shape. */
const MAX_BYTES = 262_144;
const LIMITS = { depth: 12, elements: 5_000, attributes: 40 };

const ALLOWED = new Set(
  (
    'shape connections constraint background foreground path move line quad curve arc close rect roundrect ellipse fill stroke ' +
    'fillstroke strokecolor fillcolor fontcolor strokewidth dashed dashpattern linecap linejoin miterlimit fontsize fontstyle ' +
    'fontfamily alpha fillalpha strokealpha shadow save restore text'
  ).split(' '),
);

const isSafe = (element: XmlElement): boolean =>
  ALLOWED.has(element.name) && element.attributes.get('format') !== 'html' && element.children.every(isSafe);

/**
 * Reads the drawing of a style's `shape`, which may come from any source.
 * @param shape `stencil(<Base64>)`
 * @returns undefined where it cannot be read, is too large or has other elements than shapes, lines and text
 */
export function readStencil(shape: string): XmlElement | undefined {
  const content = /^stencil\(([\s\S]*)\)$/.exec(shape)?.[1];
  if (content === undefined || content.length > MAX_BYTES) return undefined;
  try {
    const root = parseXml(inflateText(content, MAX_BYTES), LIMITS);
    return root.name === 'shape' && isSafe(root) ? root : undefined;
  } catch {
    return undefined;
  }
}
