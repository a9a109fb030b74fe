import { Type, type Static } from 'typebox';
import { Nullable } from '../foundation/http/schemas.js';

/** A secret as it is shown: never itself. */
export const SecretView = () =>
  Type.Object(
    { is_set: Type.Boolean() },
    { 'x-name': 'StoredSecret', description: 'Whether there is one. It can be set and not read.' },
  );

/** A secret as it is sent. */
export const SecretInput = (maxLength: number) =>
  Nullable(
    Type.String({
      minLength: 1,
      maxLength,
      description: 'Stored encrypted, and never shown again; `null` removes it.',
    }),
  );

/** What became of a try. That it failed is an answer like any other. */
export const ConnectionTestView = Type.Object(
  {
    ok: Type.Boolean(),
    latency_ms: Type.Integer({ minimum: 0, description: 'Milliseconds it took.' }),
    detail: Type.String({ description: 'What happened, in words.' }),
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
