/**
 * The values of a query parameter that is a list, separated by commas. In a value, `\,` is a comma and `\\` a backslash; any other
 * backslash stands for itself.
 */
export function splitValues(text: string): string[] {
  const values = [''];
  for (const [part] of text.matchAll(/\\[\\,]|[^]/gu)) {
    if (part === ',') values.push('');
    else values[values.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
  }
  return values;
}

/** A value as one of a list; see `splitValues`. */
export const listedValue = (value: string): string => value.replace(/[\\,]/g, '\\$&');
