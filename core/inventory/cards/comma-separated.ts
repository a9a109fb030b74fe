import { splitValues } from '@lintel/sdk';

/** The distinct values of a query parameter that is a list; see `splitValues`. */
export const commaSeparated = (text: string): string[] => [
  ...new Set(
    splitValues(text)
      .map((value) => value.trim())
      .filter(Boolean),
  ),
];
