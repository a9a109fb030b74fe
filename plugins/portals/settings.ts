import { Type, type Static } from '@lintel/sdk';

export const Settings = Type.Object({
  max_age_seconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 60,
    description:
      'Seconds for which browsers and caches between them and the service may keep what a portal has answered. They also keep it for so long after the portal was withdrawn; 0: they ask each time.',
  }),
  requests_per_minute: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 0,
    description: 'Requests to all portals per minute and client address; 0: no limit.',
  }),
});
export type Settings = Static<typeof Settings>;
