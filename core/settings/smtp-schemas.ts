import { Type, type Static } from 'typebox';
import { Nullable, Strict, OneOf } from '../foundation/http/schemas.js';
import { SecretInput, SecretView } from './section-schemas.js';

const properties = {
  host: Nullable(
    Type.String({
      maxLength: 253,
      pattern: '^[A-Za-z0-9](?:[A-Za-z0-9.:_-]*[A-Za-z0-9])?$',
      description: 'Name or address of the mail server; without one (`null`) no mail is sent.',
      examples: ['smtp.example.org'],
    }),
  ),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'Usually 587 with `starttls`, 465 with `tls`, 25 with `none`.',
  }),
  security: OneOf(['starttls', 'tls', 'none'], {
    description:
      '`starttls`: the connection must switch to TLS with the first command; `tls`: TLS from the first byte; `none`: unencrypted, including the password.',
  }),
  user: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 320,
      pattern: '^[^\\p{Cc}]*$',
      description: '`null` if the server requires none.',
    }),
  ),
  from_address: Nullable(
    Type.String({
      maxLength: 254,
      pattern: "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*$",
      description: 'Sender of every mail.',
      examples: ['lintel@example.org'],
    }),
  ),
  from_name: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
      description: 'Name of the sender; default: the name of the workspace.',
    }),
  ),
};

export const SmtpValues = Type.Object(properties);
export type SmtpValues = Static<typeof SmtpValues>;

export const SmtpView = Type.Object(
  { ...properties, password: SecretView(), version: Type.Integer({ minimum: 1 }) },
  {
    examples: [
      {
        host: 'smtp.example.org',
        port: 587,
        security: 'starttls',
        user: 'lintel',
        from_address: 'lintel@example.org',
        from_name: 'Architecture',
        password: { is_set: true },
        version: 2,
      },
    ],
  },
);

export const SmtpPatch = Strict(
  { ...Type.Partial(Type.Object(properties)).properties, password: Type.Optional(SecretInput(1_000)) },
  {
    minProperties: 1,
    examples: [
      {
        host: 'smtp.example.org',
        port: 587,
        security: 'starttls',
        user: 'lintel',
        password: 'a-password-of-the-mail-server',
        from_address: 'lintel@example.org',
      },
    ],
  },
);
export type SmtpPatch = Static<typeof SmtpPatch>;
