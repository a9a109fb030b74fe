/** The compression of pages and stencils: text, percent-encoded, deflated and in Base64. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * @param text Base64
 * @param limit bytes of the result
 * @throws RangeError where the text has more; Error where it is no compressed text
 */
export function inflateText(text: string, limit: number): string {
  const compact = text.replace(/\s+/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) throw new Error('the compressed text is not Base64');
  let inflated: string;
  try {
    inflated = inflateRawSync(Buffer.from(compact, 'base64'), { maxOutputLength: limit }).toString('utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new RangeError(`the content has more than ${limit} bytes`, { cause });
    throw new Error('the compressed text cannot be inflated', { cause });
  }
  if (inflated.trimStart().startsWith('<')) return inflated;
  try {
    return decodeURIComponent(inflated);
  } catch (cause) {
    throw new Error('the compressed text is not percent-encoded UTF-8', { cause });
  }
}

/** The reverse of `inflateText`. */
export const deflateText = (text: string): string =>
  deflateRawSync(Buffer.from(encodeURIComponent(text.toWellFormed()))).toString('base64');
