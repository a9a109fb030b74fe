import { Type, type Static } from 'typebox';
import { Strict } from '../http/schemas.js';

const properties = {
  app_title: Type.String({ minLength: 1, maxLength: 100, pattern: '^(?!\\s*$)[^\\p{Cc}]*$', description: 'Name of the workspace.' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['EUR'] }),
  date_format: Type.String({ enum: ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'], description: 'How dates are shown; the API itself always speaks RFC 3339.' }),
  fiscal_year_start: Type.Integer({ minimum: 1, maximum: 12, description: 'Month the fiscal year begins in.' }),
  locales: Type.Array(Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$' }), { minItems: 1, maxItems: 50, uniqueItems: true, description: 'BCP 47 tags; the first is the default.' }),
};
const restricted = {
  archive_retention_days: Type.Integer({ minimum: 0, maximum: 36_500, description: 'Days until an archived card is purged; 0 keeps it for ever.' }),
  require_if_match: Type.Boolean({ description: 'Whether changes must carry If-Match.' }),
};
const registration = { enabled: Type.Boolean({ description: 'Whether anybody may register an account.' }) };

/** The settings of the workspace as they apply now. */
export const GeneralSettings = Type.Object({ ...properties, registration: Type.Object(registration), ...restricted });
export type GeneralSettings = Static<typeof GeneralSettings>;

const EXAMPLE = { app_title: 'Lintel', currency: 'EUR', date_format: 'YYYY-MM-DD', fiscal_year_start: 1, locales: ['en'], registration: { enabled: false } };

/** Callers without `settings.manage` are given only what a login page needs. */
export const SettingsView = Type.Object(
  { ...properties, registration: Type.Object(registration), version: Type.Integer({ minimum: 1 }), ...Type.Partial(Type.Object(restricted)).properties },
  { examples: [{ ...EXAMPLE, version: 1 }] },
);

export const SettingsPatch = Strict(
  { ...Type.Partial(Type.Object({ ...properties, ...restricted })).properties, registration: Type.Optional(Strict(Type.Partial(Type.Object(registration)).properties)) },
  { minProperties: 1, examples: [{ app_title: 'Architecture', registration: { enabled: true } }] },
);
export type SettingsPatch = Static<typeof SettingsPatch>;

export const DEFAULTS: GeneralSettings = { ...EXAMPLE, archive_retention_days: 30, require_if_match: false };

/** What anybody may see. */
export const PUBLIC_KEYS = ['app_title', 'currency', 'date_format', 'fiscal_year_start', 'locales', 'registration'] as const satisfies readonly (keyof GeneralSettings)[];
