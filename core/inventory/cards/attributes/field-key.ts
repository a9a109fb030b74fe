const KEY = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

/**
 * A field key, fit to stand in the text of a statement.
 * @throws where it is no key the metamodel could have: nothing else may ever get into a text
 */
export function fieldKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is no field key`);
  return key;
}
