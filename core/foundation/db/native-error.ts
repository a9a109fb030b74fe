/** An error of PostgreSQL, as far as it is read. */
interface NativeError {
  code?: string;
  constraint?: string;
  message?: string;
  severity?: string;
}

/** The error of PostgreSQL within that of Objection, which wraps errors without their code; else the error itself. */
export function nativeError(error: unknown): NativeError {
  const { nativeError: native } = error as { nativeError?: unknown };
  return (typeof native === 'object' && native !== null ? native : error) as NativeError;
}
