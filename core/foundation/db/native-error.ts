/** An error of PostgreSQL, as far as it is read. */
interface NativeError {
  code?: string;
  constraint?: string;
  table?: string;
  column?: string;
  message?: string;
  severity?: string;
}

/** The error of PostgreSQL within that of Objection, which wraps errors without their code; else the error itself. */
export function nativeError(error: unknown): NativeError {
  const { nativeError: native } = error as { nativeError?: unknown };
  return (typeof native === 'object' && native !== null ? native : error) as NativeError;
}

/** Classes and codes of errors that end a statement only; `severity` is in the language of the server. */
const REFUSALS = /^(2[23]|40|42|5[45]|P0|57014)/;

/**
 * Whether PostgreSQL refused a statement outside of a transaction, so that nothing is stored and the connection can be used
 * again; after other errors the outcome is unknown.
 */
export function isRefusal(error: unknown): boolean {
  const { severity, code } = nativeError(error);
  return severity === 'ERROR' || REFUSALS.test(code ?? '');
}
