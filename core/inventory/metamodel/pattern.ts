import { RE2JS } from 're2js';

export const MAX_PATTERN = 500;
/** States the engine walks per character: this many keep the longest text below a tenth of a second. */
const MAX_STATES = 500;

/**
 * Compiles the pattern of a text field. The engine is linear in the length of the text whatever the pattern, so that
 * no pattern can stop the service; hence no look-around and no back references.
 * @returns a test whether any part of a text matches, as in JSON Schema
 * @throws with the reason where it is no pattern, or too large a one
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN) throw new Error(`must not be longer than ${MAX_PATTERN} characters`);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    throw new Error(`is no pattern the engine knows: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (compiled.programSize() > MAX_STATES) throw new Error('is too large; repeat less');
  return (text) => compiled.test(text);
}
