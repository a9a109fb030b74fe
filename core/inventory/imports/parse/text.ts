import { unreadable } from '../types.js';

/**
 * Decodes a file as UTF-8, with or without a byte order mark.
 * @throws UnreadableFile where the bytes are not UTF-8
 */
export async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of bytes) {
      if (
        isFirst &&
        chunk.length > 1 &&
        ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff))
      )
        throw unreadable('is UTF-16; save it as UTF-8');
      isFirst = false;
      const text = decoder.decode(chunk, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw unreadable('is not UTF-8');
    throw error;
  }
}
