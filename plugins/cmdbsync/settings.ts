import { Type, type Static } from '@lintel/sdk';

export const Settings = Type.Object({
  page_size: Type.Integer({
    default: 1_000,
    minimum: 10,
    maximum: 5_000,
    description: 'Records of one page that a run reads from the other system.',
  }),
  keep_runs_days: Type.Integer({
    default: 90,
    minimum: 1,
    maximum: 3_650,
    description:
      'Days after which runs that have ended are deleted, with their records; the last one of a mapping stays.',
  }),
});
export type Settings = Static<typeof Settings>;
