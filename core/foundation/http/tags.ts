/** The OpenAPI tags of the core's operations; a module declares its own. */
export const CORE_TAGS: Readonly<Record<string, string>> = {
  platform: 'Health, figures and this description.',
  auth: 'Logging in and out, sessions, the caller’s own account.',
  users: 'People and service accounts.',
  roles: 'Roles and what they permit.',
  metamodel: 'Card types, fields and relation types: data that says what may be stored.',
  cards: 'The inventory: everything the architecture consists of.',
  relations: 'How cards depend on one another.',
  imports: 'Cards and relations from files: read, shown as a diff, applied.',
  events: 'Every change, as a log and as a stream.',
  webhooks: 'Events, sent to addresses outside.',
  notifications: 'What the caller was told, and how.',
  settings: 'The workspace: general settings, logo, mail and language model.',
  jobs: 'What goes on in the background.',
  modules: 'Modules that add to the core, and can be switched off.',
};
