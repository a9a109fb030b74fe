/** The OpenAPI tags of the core's operations; a module declares its own. */
export const CORE_TAGS: Readonly<Record<string, string>> = {
  platform: 'Health, metrics and this document.',
  auth: 'Log-in and log-out, sessions, the caller’s own account.',
  users: 'People and service accounts.',
  roles: 'Roles and their permissions.',
  metamodel: 'Card types, fields and relation types: the rules for what can be stored.',
  cards: 'The inventory: everything the architecture consists of.',
  relations: 'How cards depend on one another.',
  imports: 'Cards and relations from files: read, previewed as a diff, applied.',
  events: 'Every change, as a log and as a stream.',
  webhooks: 'Events sent to external URLs.',
  notifications: 'Notifications of the caller and their channels.',
  settings: 'The workspace: general settings, logo, mail and language model.',
  jobs: 'Background jobs.',
  modules: 'Modules that extend the core and can be enabled and disabled.',
};
