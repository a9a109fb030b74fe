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

/** Bytes of all custom shapes of a file: a shape of 1,000 characters can be inflated to the maximum, and a file have 20,000 of them. */
const MAX_TOTAL = 16_000_000;

/** Which custom shapes of a file may stay: those that can be read, up to a total size. */
export class StencilCheck {
  private left = MAX_TOTAL;

  /** Whether another shape may stay. */
  allows(shape: string): boolean {
    if (this.left <= 0) return false;
    const xml = stencilXml(shape, Math.min(MAX_BYTES, this.left));
    this.left -= xml?.length ?? MIN_COST;
    return xml !== undefined && parsedStencil(xml) !== undefined;
  }
}

/** What a shape that cannot be inflated counts: the work for one that is too large. */
const MIN_COST = 65_536;

/**
 * Reads the drawing of a style's `shape`, which may come from any source.
 * @param shape `stencil(<Base64>)`
 * @returns undefined where it cannot be read, is too large or has other elements than shapes, lines and text
 */
export function readStencil(shape: string): XmlElement | undefined {
  const xml = stencilXml(shape, MAX_BYTES);
  return xml === undefined ? undefined : parsedStencil(xml);
}

function stencilXml(shape: string, limit: number): string | undefined {
  const content = /^stencil\(([\s\S]*)\)$/.exec(shape)?.[1];
  if (content === undefined || content.length > MAX_BYTES) return undefined;
  try {
    return inflateText(content, limit);
  } catch {
    return undefined;
  }
}

function parsedStencil(xml: string): XmlElement | undefined {
  try {
    const root = parseXml(xml, LIMITS);
    return root.name === 'shape' && isSafe(root) ? root : undefined;
  } catch {
    return undefined;
  }
}
