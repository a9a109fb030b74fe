import { Type, type Static } from 'typebox';
import { Nullable } from '../foundation/http/schemas.js';

/** The representation of a secret: never its value. */
export const SecretView = () =>
  Type.Object({ is_set: Type.Boolean() }, { description: 'Whether there is one. It can be set and not read.' });

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
    latency_ms: Type.Integer({ minimum: 0, description: 'Milliseconds it took.' }),
    detail: Type.String({ description: 'What happened, in words.' }),
  },
  {
    examples: [
      { ok: true, latency_ms: 182, detail: 'The mail to ada@example.org was accepted.' },
      { ok: false, latency_ms: 12, detail: 'smtp.example.org:587 refuses the connection.' },
    ],
  },
);
export type ConnectionTestView = Static<typeof ConnectionTestView>;
