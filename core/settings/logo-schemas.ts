import { Type, type Static } from 'typebox';
import { OneOf } from '../foundation/http/schemas.js';
import { LOGO_TYPES } from './logo-image.js';

/** Maximum size of a logo in bytes. */
export const LOGO_LIMIT = 1_048_576;

export const LogoView = Type.Object(
  {
    media_type: OneOf(LOGO_TYPES, { description: 'Determined from the bytes.' }),
    size: Type.Integer({ minimum: 1, maximum: LOGO_LIMIT, description: 'Bytes.' }),
    version: Type.Integer({ minimum: 1 }),
  },
  { examples: [{ media_type: 'image/svg+xml', size: 4_096, version: 2 }] },
);
export type LogoView = Static<typeof LogoView>;

const image = {
  schema: Type.Unsafe<string>({
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'The bytes of the image.',
  }),
};

/** Accepted media types; the declared type is not used. */
export const LOGO_MEDIA: readonly string[] = [...LOGO_TYPES, 'application/octet-stream'];
export const LogoBody = { content: Object.fromEntries(LOGO_MEDIA.map((type) => [type, image])) };
export const LogoAnswer = {
  description: 'The image.',
  content: Object.fromEntries(LOGO_TYPES.map((type) => [type, image])),
};
