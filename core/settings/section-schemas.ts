import { Type, type Static } from 'typebox';
import { Nullable } from '../foundation/http/schemas.js';

/** The representation of a secret: never its value. */
export const SecretView = () =>
  Type.Object(
    { is_set: Type.Boolean() },
    { 'x-name': 'StoredSecret', description: 'Whether it is set. It can be written but not read.' },
  );

/** A secret in a request. */
export const SecretInput = (maxLength: number) =>
  Nullable(
    Type.String({
      minLength: 1,
      maxLength,
      description: 'Stored encrypted, and never shown again; `null` removes it.',
    }),
  );

/** The result of a connection test. A failed test is a regular response, not an error. */
export const ConnectionTestView = Type.Object(
  {
    ok: Type.Boolean(),
    latency_ms: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
    detail: Type.String({ description: 'The result as text.' }),
  },
  {
    'x-name': 'ConnectionResult',
    examples: [
      { ok: true, latency_ms: 182, detail: 'The mail to ada@example.org was accepted.' },
      { ok: false, latency_ms: 12, detail: 'smtp.example.org:587 refuses the connection.' },
    ],
  },
);
export type ConnectionTestView = Static<typeof ConnectionTestView>;
