import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'insightlens.view';
export const EXPLAIN = 'insightlens.explain';
export const MANAGE = 'insightlens.manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  {
    key: VIEW,
    description: 'See analyses and those of their findings whose cards are visible.',
    roles: ['architect', 'member', 'viewer'],
  },
  {
    key: EXPLAIN,
    description: 'Ask the language model to explain visible findings, which may cost money.',
    roles: ['architect', 'member'],
  },
  {
    key: MANAGE,
    description: 'Start and cancel analyses, decide on findings, and ask for proposals.',
    roles: ['architect', 'member'],
  },
];

export const READERS: Access = { permission: VIEW };
/** Calls of a model cost money: those who only read do not cause them. */
export const EXPLAINERS: Access = { permission: EXPLAIN };
export const MANAGERS: Access = { permission: MANAGE };
