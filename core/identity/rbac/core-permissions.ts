import type { PermissionDeclaration } from '@lintel/sdk';

type Role = PermissionDeclaration['roles'][number];

/** A permission that a stakeholder role can grant, for the catalogue. */
export interface CardPermissionDeclaration {
  key: string;
  description: string;
}

const EVERYONE: readonly Role[] = ['architect', 'member', 'viewer'];
const EDITORS: readonly Role[] = ['architect', 'member'];
const ARCHITECT: readonly Role[] = ['architect'];
const ADMIN_ONLY: readonly Role[] = [];

const declare = (roles: readonly Role[], keys: Record<string, string>): PermissionDeclaration[] =>
  Object.entries(keys).map(([key, description]) => ({ key, description, roles }));

/** The application permissions of the core, with the system roles that initially have them. */
export const CORE_PERMISSIONS: readonly PermissionDeclaration[] = [
  ...declare(EVERYONE, {
    'cards.view': 'See cards, their hierarchy, history and facets',
    'relations.view': 'See relations between cards',
    'stakeholders.view': 'See who is a stakeholder of a card',
    'comments.view': 'Read comments',
    'documents.view': 'See documents linked to cards',
    'comments.create': 'Write comments',
    'todos.own': 'Have and complete to-dos',
    'notifications.own': 'Receive notifications and choose their channels',
    'cards.export': 'Export cards',
  }),
  ...declare(EDITORS, {
    'cards.create': 'Create cards',
    'cards.edit': 'Change cards',
    'cards.bulk': 'Change many cards in one request',
    'relations.manage': 'Create, change and delete relations',
    'documents.manage': 'Link documents to cards and remove them',
    'todos.manage': 'Assign to-dos to other users',
    'costs.view': 'See cost fields',
  }),
  ...declare(ARCHITECT, {
    'cards.archive': 'Archive and restore cards',
    'cards.approve': 'Approve and reject cards',
    'cards.import': 'Import cards and relations from files',
    'stakeholders.manage': 'Manage stakeholders of any card',
    'comments.manage': 'Delete comments of other users',
    'cards.delete': 'Delete cards permanently',
    'metamodel.manage': 'Change card types, fields and relation types',
    'tags.manage': 'Change tag groups and tags',
    'views.share': 'Share saved views with all users',
  }),
  ...declare(ADMIN_ONLY, {
    'users.manage': 'Manage user accounts and invitations',
    'roles.manage': 'Manage roles and their permissions',
    'settings.manage': 'Change the settings of the workspace',
    'modules.manage': 'Enable, disable and configure modules',
    'events.audit': 'Read the audit trail',
    'webhooks.manage': 'Manage webhooks',
    'jobs.manage': 'See, cancel and retry background jobs',
  }),
];

/** Permissions that a role can grant or deny per card type. All others apply to all types. */
export const PER_TYPE: ReadonlySet<string> = new Set([
  'cards.view',
  'cards.create',
  'cards.edit',
  'cards.archive',
  'cards.approve',
  'cards.delete',
  'cards.export',
  'costs.view',
  'stakeholders.view',
  'stakeholders.manage',
  'relations.view',
  'relations.manage',
  'comments.view',
  'comments.create',
  'comments.manage',
  'documents.view',
  'documents.manage',
  'todos.own',
  'todos.manage',
]);

/** The application permission that grants on every card what a stakeholder role grants on its card. */
export const APPLICATION: Readonly<Record<string, string>> = {
  'card.edit': 'cards.edit',
  'card.archive': 'cards.archive',
  'card.approve': 'cards.approve',
  'card.manage_stakeholders': 'stakeholders.manage',
  'card.manage_relations': 'relations.manage',
  'card.manage_documents': 'documents.manage',
  'card.manage_comments': 'comments.manage',
  'card.create_comments': 'comments.create',
  'card.view_costs': 'costs.view',
};

/** Permissions on existing cards that no stakeholder role grants. */
export const CARD_KEYLESS: readonly string[] = [...PER_TYPE].filter(
  (key) => key !== 'cards.create' && !Object.values(APPLICATION).includes(key),
);

/** Permissions that a stakeholder role can grant on its card; modules add theirs as `card.<module>_<verb>`. */
export const CORE_CARD_DECLARATIONS: readonly CardPermissionDeclaration[] = Object.entries({
  'card.edit': 'Change the card',
  'card.archive': 'Archive and restore the card',
  'card.approve': 'Approve and reject the card',
  'card.manage_stakeholders': 'Manage stakeholders of the card',
  'card.manage_relations': 'Create, change and delete relations of the card',
  'card.manage_documents': 'Link documents to the card and remove them',
  'card.manage_comments': 'Delete comments of other users on the card',
  'card.create_comments': 'Write comments on the card',
  'card.view_costs': 'See the cost fields of the card',
}).map(([key, description]) => ({ key, description }));
export const CORE_CARD_PERMISSIONS: readonly string[] = CORE_CARD_DECLARATIONS.map(({ key }) => key);

/** Key of the role of administrators. */
export const ADMIN = 'admin';

/** The four initial roles; that of administrators has all permissions and cannot be restricted. */
export const SYSTEM_ROLES = [
  { key: ADMIN, label: 'Administrator', description: 'Has all permissions.', is_default: false },
  {
    key: 'architect',
    label: 'Architect',
    description: 'Maintains the inventory and its metamodel.',
    is_default: false,
  },
  { key: 'member', label: 'Member', description: 'Creates and changes cards and relations.', is_default: true },
  { key: 'viewer', label: 'Viewer', description: 'Reads.', is_default: false },
] as const;
