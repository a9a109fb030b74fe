import { RE2JS } from 're2js';

export const MAX_PATTERN = 500;
/** Maximum number of NFA states, so that matching the longest text takes less than a tenth of a second. */
const MAX_STATES = 500;

/**
 * Compiles the pattern of a text field. The engine runs in linear time for every pattern, so that no pattern can block
 * the service; therefore look-around and back references are not supported.
 * @returns a function that tests whether any part of a text matches, as in JSON Schema
 * @throws with the reason where the pattern is invalid or too large
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
