/** A name that can be part of SQL without quotes. */
const IDENTIFIER = /^[a-z][a-z0-9_]{0,47}$/;

/** Checks names of tables and columns that become part of SQL. @throws for the first that is not an identifier */
export function checkIdentifiers(names: readonly string[]): void {
  for (const name of names)
    if (!IDENTIFIER.test(name)) throw new Error(`${JSON.stringify(name)} cannot be the name of a table or column`);
}
