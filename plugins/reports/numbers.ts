/** A sum that PostgreSQL computed exactly, as a JSON number; null for none. @param decimal its decimal text */
export const amount = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));
