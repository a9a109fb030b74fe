/** Which addresses a drawing may contain. */
import { decodeEntities } from './entities.js';

/** A value as a browser would understand it: references and percent signs resolved, white space and control characters removed. */
export function unmasked(value: string): string {
  let text = value;
  for (let times = 0; times < 3; times++) {
    const before = text;
    text = decodeEntities(text).replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (text === before) break;
  }
  return text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, '').toLowerCase();
}

/** Text that runs code or loads a document where it is understood as an address or as CSS. */
const ADDRESS =
  '(javascript|vbscript|livescript|jscript|mocha):|data:(text|application|multipart|message)/|data:image/svg';
const ACTIVE = new RegExp(`${ADDRESS}|expression\\(|-moz-binding|behavior:|@import`);
const ACTIVE_ADDRESS = new RegExp(`^(${ADDRESS})`);

/** Whether a value contains a script address, an active data address or active CSS, in any spelling. */
export const isActive = (value: string): boolean => ACTIVE.test(unmasked(value));

/** Whether a value as a whole is a script address or an active data address. Text that mentions one is not. */
export const isActiveAddress = (value: string): boolean => ACTIVE_ADDRESS.test(unmasked(value));

/** Links that may stay: pages of the file, web pages, mail addresses, and paths of the service itself. */
export function isAllowedLink(link: string): boolean {
  const text = unmasked(link);
  if (isActive(link)) return false;
  if (/^data:page\/id,[\w.~-]{1,200}$/.test(text)) return true;
  if (/^https?:\/\/[^/]/.test(text) || /^mailto:[^/]/.test(text)) return true;
  return text === '' || (/^[/#]/.test(text) && !/^\/[/\\]/.test(text)) || /^\?/.test(text);
}

/** The kinds of image that may be embedded; draw.io writes `data:image/png,<base64>`, others `data:image/png;base64,…`. */
const EMBEDDED = /^data:image\/(png|jpe?g|gif|webp|bmp)(;base64)?,[A-Za-z0-9+/=%\s]*$/i;
/** Images and shape libraries that are part of draw.io. */
const LIBRARY = /^\/?(img|images|stencils|shapes|mxgraph\/images)\/[\w./ ()&+,@-]+$/i;

/** What kind of image an address names. */
export function imageKind(address: string): 'embedded' | 'library' | 'foreign' | 'refused' {
  const text = address.trim();
  if (EMBEDDED.test(text)) return 'embedded';
  if (isActive(text)) return 'refused';
  if (LIBRARY.test(text) && !text.includes('..')) return 'library';
  return /^https?:\/\/[^/]/i.test(unmasked(text)) ? 'foreign' : 'refused';
}
