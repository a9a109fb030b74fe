/** The first characters of a text, without half of a pair at the end, which the database does not store. @param most UTF-16 code units */
export const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
