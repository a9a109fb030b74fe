/** Styles of cells without scripts, foreign addresses and unreadable custom shapes. */
import type { StencilCheck } from './stencil.js';
import type { Style } from './style.js';
import type { ImagePolicy } from './sanitise-html.js';
import { imageKind, isActive, isAllowedLink, unmasked } from './sanitise-url.js';

/** Keys whose value is the address of an image. */
const IMAGES = /^(image|labelimage|indicatorimage|img|src|backgroundimage)$/i;
const LINKS = /^(link|href|url)$/i;
/** CSS that a program puts into an embedded SVG: there is none left. */
const REFUSED = /^(editablecssrules|fontsource|fontstylesheet)$/i;
const MARKUP = /<[a-z!/?]|\burl\(/;
const FOREIGN = /^([a-z][a-z0-9+.-]*:)?\/\//;

export type StyleRemoval = 'style' | 'image' | 'link' | 'font' | 'stencil';

/** Why an entry may not stay; undefined if it may. */
function faultOf(
  key: string,
  value: string | undefined,
  policy: ImagePolicy,
  stencils: StencilCheck,
): StyleRemoval | undefined {
  if (value === undefined) return isActive(key) || MARKUP.test(unmasked(key)) ? 'style' : undefined;
  if (isActive(key) || MARKUP.test(unmasked(key))) return 'style';
  if (/^(on[a-z]+)$/i.test(key)) return 'style';
  if (REFUSED.test(key)) return 'font';
  if (IMAGES.test(key)) {
    const kind = imageKind(value);
    const isKept = value === '' || value === 'none' || kind === 'embedded' || kind === 'library';
    return isKept || (kind === 'foreign' && policy.keepForeignImages) ? undefined : 'image';
  }
  if (LINKS.test(key)) return isAllowedLink(value) ? undefined : 'link';
  if (value.startsWith('stencil(')) return stencils.allows(value) ? undefined : 'stencil';
  const text = unmasked(value);
  if (isActive(value) || MARKUP.test(text)) return 'style';
  return FOREIGN.test(text) ? 'link' : undefined;
}

/**
 * A style without what may not stay.
 * @param stencils of the file
 * @param removed called with the kind and the entry, shortened
 */
export function sanitiseStyle(
  style: Style,
  policy: ImagePolicy,
  stencils: StencilCheck,
  removed: (kind: StyleRemoval, what: string) => void,
): Style {
  // An embedded SVG such as `image=data:image/svg+xml;base64,…` is divided by its `;`: the rest belongs to it.
  let isRest = false;
  return style.filter(({ key, value }) => {
    if (isRest && value === undefined && /^(base64|charset|utf-?8|utf8)[,]?/i.test(key)) return false;
    if (isRest && /^(base64,|charset$)/i.test(key)) return false;
    const fault = faultOf(key, value, policy, stencils);
    isRest = fault === 'image' || fault === 'link';
    if (fault) removed(fault, `${key}${value === undefined ? '' : `=${value}`}`.slice(0, 100));
    return !fault;
  });
}
