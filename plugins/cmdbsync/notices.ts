import type { ModuleManifest } from '@lintel/sdk';

export const NOTIFICATIONS: NonNullable<ModuleManifest['notifications']> = [
  {
    kind: 'cmdbsync.run_failed',
    title: 'Synchronisation failed',
    description: 'A run of a mapping that you own failed.',
    email: true,
  },
  {
    kind: 'cmdbsync.guard_tripped',
    title: 'Synchronisation would archive many cards',
    description:
      'A run of a mapping that you own would archive more cards than its ratio allows; they wait for a decision.',
    email: true,
  },
  {
    kind: 'cmdbsync.review',
    title: 'Records wait for review',
    description: 'Records of a mapping that you own wait for a decision.',
    email: true,
  },
];
