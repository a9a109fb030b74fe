import type { ModuleManifest } from '@lintel/sdk';

export const NOTIFICATIONS: NonNullable<ModuleManifest['notifications']> = [
  {
    kind: 'insightlens.new_findings',
    title: 'New findings',
    description: 'An analysis has findings that earlier runs did not have.',
    email: false,
  },
  {
    kind: 'insightlens.run_failed',
    title: 'Analysis failed',
    description: 'An analysis that you have started failed.',
    email: false,
  },
];
