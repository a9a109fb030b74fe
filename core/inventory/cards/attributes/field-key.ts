const KEY = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

/**
 * A field key that may be part of an SQL text.
 * @throws where it is not a valid key of the metamodel
 */
export function fieldKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is no field key`);
  return key;
}
