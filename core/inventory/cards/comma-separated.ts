/** The distinct values of a comma-separated query parameter. */
export const commaSeparated = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean),
  ),
];
