/** What identifiers in SQL are made of: all of a spec's are checked when it is declared. */
const IDENTIFIER = /^[a-z][a-z0-9_]{0,47}$/;

/** @throws where a name could not stand in SQL as it is */
export function checkIdentifiers(names: readonly string[]): void {
  for (const name of names)
    if (!IDENTIFIER.test(name)) throw new Error(`${JSON.stringify(name)} cannot be the name of a table or column`);
}
