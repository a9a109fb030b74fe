/** Writes a key as a reference token of a JSON Pointer (RFC 6901). */
export const pointerToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Reads the key from a reference token of a JSON Pointer. */
export const keyOfToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
