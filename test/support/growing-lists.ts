/**
 * What each POST and PUT stores, by operationId: nothing that adds up, inventory whose number is its purpose, or a list with a
 * bound. `test/security/22-growing-lists.test.ts` compares it with the routes.
 */

/** A bound that the test reaches through HTTP. */
export interface Reach {
  /** The path of the POST; `{…}` are the objects of the test. */
  path: string;
  body(n: number): object;
  table: string;
  most: number;
  /** Values of columns that are unique, as SQL of the number `n` over the row `r`. */
  unique?: Record<string, string>;
  /** The condition of the rows that count, over the alias `r`; default: all that have the same `per`. */
  where?: string;
  /** Columns whose values the counted rows have in common. */
  per?: string[];
}
export type Stored =
  | { kind: 'nothing' | 'inventory'; why: string }
  | { kind: 'bounded'; code: string; bound: string; reach?: Reach; testedBy?: string };

const nothing = (why: string): Stored => ({ kind: 'nothing', why });
const inventory = (why: string): Stored => ({ kind: 'inventory', why });
/** @param how the test that reaches the bound, or the way to reach it */
const bounded = (code: string, bound: string, how?: Reach | string): Stored => ({
  kind: 'bounded',
  code,
  bound,
  ...(typeof how === 'string' ? { testedBy: how } : how && { reach: how }),
});

const STATE = nothing('changes the state of something that exists');
const REPLACED = nothing('replaces what is there');
const SESSION = bounded('', '100 sessions of a user: one more ends the least recently used', 'security/07-item-limits');
const MAILED = bounded('rate_limited', 'a few mails to an address in an hour', 'core/mail-resets');
const SHARED = 'security/07-item-limits';
const PLAN = { path: '/ppm/initiatives/{initiative}', per: ['card_id'] };
const DATE = '2026-03-31';
const HEALTH = 'on_track';

export const STORED: Record<string, Stored> = {
  // Sign-in and accounts
  register: inventory('accounts; registrations are limited per client address'),
  login: SESSION,
  refresh: REPLACED,
  logout: nothing('ends a session'),
  changePassword: REPLACED,
  createToken: bounded('limit_reached', '50 active API tokens of a user', {
    path: '/auth/tokens',
    body: (n) => ({ name: `Token ${n}`, permissions: ['cards.view'] }),
    table: 'api_tokens',
    most: 50,
    per: ['user_id'],
  }),
  createUserToken: bounded('limit_reached', '50 active API tokens of a service account', {
    path: '/users/{service}/tokens',
    body: (n) => ({ name: `Token ${n}`, permissions: ['cards.view'] }),
    table: 'api_tokens',
    most: 50,
    per: ['user_id'],
  }),
  acceptInvitation: inventory('an account for each invitation'),
  forgotPassword: MAILED,
  resetPassword: REPLACED,
  requestEmailChange: bounded('rate_limited', 'one pending change of a user', 'core/mail-resets'),
  confirmEmailChange: REPLACED,
  withdrawEmailChangeByLink: nothing('ends a pending change'),
  createUser: inventory('accounts'),
  unlockUser: STATE,
  createInvitation: bounded('limit_reached', '5,000 pending invitations', {
    path: '/users/invitations',
    body: (n) => ({ email: `invited-${n}@example.org`, role: 'viewer' }),
    table: 'invitations',
    most: 5_000,
    unique: { email: `'i' || n || '@example.org'`, email_key: `'i' || n || '@example.org'` },
  }),
  resendInvitation: MAILED,
  exchangeSsoCode: SESSION,
  linkUserIdentity: bounded('limit_reached', '20 identities of a user'),
  createRole: bounded('limit_reached', '1,000 roles', {
    path: '/roles',
    body: (n) => ({ key: `role_${n}`, label: `Role ${n}`, permissions: [] }),
    table: 'roles',
    most: 1_000,
    unique: { key: `'filled_' || n`, label: `'Filled ' || n`, is_system: 'false', is_default: 'false' },
  }),
  archiveRole: STATE,
  restoreRole: STATE,

  // Metamodel
  createStakeholderRole: bounded('validation_failed', '100 stakeholder roles of a card type'),
  createTagGroup: bounded('conflict', '500 tag groups'),
  createTag: bounded('conflict', '2,000 tags of a group'),
  createCardType: bounded('conflict', '500 card types'),
  createRelationType: bounded('conflict', '2,000 relation types'),

  // Cards
  createCard: inventory('cards'),
  bulkCards: inventory('cards'),
  archiveCard: STATE,
  restoreCard: STATE,
  decideCard: STATE,
  addCardStakeholder: bounded('limit_reached', '`card_limits.stakeholders` of a card', SHARED),
  createCardComment: bounded('limit_reached', '`card_limits.comments` of a card, a fifth of one user', SHARED),
  createCardDocument: bounded('limit_reached', '`card_limits.documents` of a card, a fifth of one user', SHARED),
  replaceCardTags: bounded('limit_reached', '`card_limits.tags` of a card, all replaced at once', SHARED),
  createCardTodo: bounded('limit_reached', '`card_limits.todos` of a card, a fifth of one user', SHARED),
  createRelation: inventory('relations'),
  bulkRelations: inventory('relations'),
  createImport: bounded('limit_reached', '100 unfinished imports of a user; finished ones are deleted', SHARED),
  applyImport: inventory('cards and relations'),

  // Events, webhooks, notifications, settings, jobs
  createStreamTicket: bounded(
    'rate_limited',
    '60 tickets of a user in a minute, each valid for 30 s',
    'core/stream-tickets',
  ),
  createWebhook: bounded('limit_reached', '500 webhooks', {
    path: '/webhooks',
    body: (n) => ({ name: `Webhook ${n}`, url: 'https://hooks.example.org/lintel' }),
    table: 'webhooks',
    most: 500,
  }),
  rotateWebhookSecret: REPLACED,
  testWebhook: nothing('sends one message'),
  redeliverWebhookDelivery: bounded('limit_reached', '1,000 repeated deliveries of a webhook that have not ended', {
    path: '/webhooks/{webhook}/deliveries/{delivery}/redeliver',
    body: () => ({}),
    table: 'webhook_deliveries',
    most: 1_000,
    per: ['webhook_id'],
    where: "r.redelivery_of is not null and r.state = 'pending'",
  }),
  readAllNotifications: STATE,
  readNotification: STATE,
  setLogo: REPLACED,
  testSmtpSettings: nothing('sends one message'),
  testSsoSettings: nothing('asks the provider'),
  testAiSettings: nothing('asks the model'),
  rescanModules: nothing('reads the folder of modules'),
  installModule: inventory('modules that the operator has put into the folder'),
  retryParkedEvent: STATE,
  retryJobs: STATE,
  cancelJob: STATE,
  retryJob: STATE,
  runSchedule: bounded('conflict', 'one run of a schedule at a time'),
  cancelOwnJob: STATE,

  // Decisions
  createAdr: inventory('decisions'),
  requestAdrSignatures: REPLACED,
  signAdr: STATE,
  rejectAdr: STATE,
  recallAdr: STATE,
  reviseAdr: inventory('revisions of decisions, one open at a time'),
  importAdrs: inventory('decisions'),

  // Processes
  createBpmVersion: bounded('limit_reached', '500 drafts of a process', {
    path: '/bpm/processes/{process}/flow/versions',
    body: (n) => ({ from: 'nothing', title: `Draft ${n}` }),
    table: 'bpm_versions',
    most: 500,
    per: ['card_id'],
    unique: { revision: 'n + 100000', file_id: 'gen_random_uuid()' },
  }),
  submitBpmVersion: STATE,
  withdrawBpmVersion: STATE,
  approveBpmVersion: STATE,
  rejectBpmVersion: STATE,
  uploadBpmVersion: bounded('limit_reached', '500 drafts of a process, as createBpmVersion'),
  setBpmFile: REPLACED,
  setBpmElementLinks: REPLACED,
  createBpmAssessment: bounded('limit_reached', '5,000 assessments of a process', {
    path: '/bpm/processes/{process}/assessments',
    body: () => ({ assessed_on: DATE, overall: 3 }),
    table: 'bpm_assessments',
    most: 5_000,
    per: ['card_id'],
  }),
  createBpmTemplate: bounded('limit_reached', '1,000 templates', {
    path: '/bpm/templates',
    body: (n) => ({ name: `Template ${n}` }),
    table: 'bpm_templates',
    most: 1_000,
    unique: { name_key: `'filled ' || n` },
  }),
  setBpmTemplateFile: REPLACED,

  // Synchronisation
  createCmdbsyncConnection: bounded('limit_reached', '100 connections', {
    path: '/cmdbsync/connections',
    body: (n) => ({
      name: `Connection ${n}`,
      connector: 'netbox',
      config: { url: 'https://netbox.example.com' },
      secrets: { token: '0123456789abcdef' },
    }),
    table: 'cmdbsync_connections',
    most: 100,
    unique: { name_key: `'filled ' || n` },
  }),
  testCmdbsyncConnection: REPLACED,
  createCmdbsyncMapping: bounded('limit_reached', '1,000 mappings', {
    path: '/cmdbsync/mappings',
    body: (n) => ({
      name: `Mapping ${n}`,
      connection_id: '{connection}',
      card_type: 'ITComponent',
      table: 'devices',
      fields: [{ source: 'name', target: 'name', owner: 'cmdb', transform: { kind: 'direct' } }],
      identity: [{ target: 'name' }],
    }),
    table: 'cmdbsync_mappings',
    most: 1_000,
    unique: { name_key: `'filled ' || n` },
  }),
  previewCmdbsyncMapping: nothing('reads a few records'),
  createCmdbsyncMappingsFromTemplate: bounded('limit_reached', '1,000 mappings, as createCmdbsyncMapping'),
  startCmdbsyncRun: bounded('cmdbsync_run_active', 'one run of a mapping at a time; old ones are deleted'),
  cancelCmdbsyncRun: STATE,
  applyCmdbsyncRun: inventory('cards and relations'),
  resolveCmdbsyncRecord: STATE,

  // Diagrams
  createDiagramGroup: bounded('limit_reached', '5,000 groups', {
    path: '/diagrams/library/groups',
    body: (n) => ({ name: `Group ${n}` }),
    table: 'diagrams_groups',
    most: 5_000,
    unique: { name_key: `'filled ' || n` },
  }),
  createDiagram: inventory('diagrams'),
  favourDiagram: bounded('', 'one for each diagram and user'),
  replaceDiagramFile: inventory('versions of diagrams, whose number the setting `keep_versions` limits'),
  restoreDiagramVersion: inventory('versions of diagrams'),
  importDiagrams: inventory('diagrams'),
  generateDiagram: inventory('diagrams'),
  proposeDiagramRelations: inventory('relations'),
  matchDiagramCards: nothing('compares texts with names'),

  // Analyses
  analyseSuppliers: bounded('insightlens_run_active', 'one run of an analysis at a time; `keep_runs` are kept'),
  analyseDuplicates: bounded('insightlens_run_active', 'one run of an analysis at a time; `keep_runs` are kept'),
  analyseSecurity: bounded('insightlens_run_active', 'one run of an analysis at a time; `keep_runs` are kept'),
  analyseModernisation: bounded('insightlens_run_active', 'one run of an analysis at a time; `keep_runs` are kept'),
  cancelInsightRun: STATE,
  transitionInsightFinding: STATE,
  uploadInsightFeed: REPLACED,
  fetchInsightFeed: REPLACED,
  transitionInsightFindings: STATE,
  promoteInsightFinding: inventory('one risk or decision for each finding'),
  putInsightCardProduct: REPLACED,
  explainInsightFinding: REPLACED,
  createInsightProposal: bounded('limit_reached', '500 proposals of a user', {
    path: '/insightlens/architect/proposals',
    body: () => ({ requirement: 'Customers pay invoices online.', use_model: false }),
    table: 'insightlens_proposals',
    most: 500,
    per: ['asked_by'],
    unique: { state: `'cancelled'` },
  }),
  cancelInsightProposal: STATE,
  commitInsightProposal: inventory('cards and relations'),

  createPortal: bounded('portals_too_many', '200 portals', {
    path: '/portals',
    body: (n) => ({ slug: `portal-${n}`, title: `Portal ${n}`, type: 'Application', fields: ['description'] }),
    table: 'portals_portals',
    most: 200,
    unique: { slug: `'filled-' || n` },
  }),

  // Plans
  createPpmWbsItem: bounded('validation_failed', '10,000 items of a plan', {
    ...PLAN,
    path: `${PLAN.path}/wbs`,
    body: (n) => ({ title: `Item ${n}` }),
    table: 'ppm_wbs',
    most: 10_000,
    unique: { position: 'r.position + n' },
  }),
  movePpmWbsItem: STATE,
  createPpmDependency: bounded('validation_failed', '20,000 dependencies of a plan'),
  createPpmStatusReport: bounded('limit_reached', '5,000 status reports of an initiative', {
    ...PLAN,
    path: `${PLAN.path}/status-reports`,
    body: () => ({
      report_date: DATE,
      schedule_health: HEALTH,
      cost_health: HEALTH,
      scope_health: HEALTH,
      percent_complete: 1,
    }),
    table: 'ppm_status_reports',
    most: 5_000,
  }),
  createPpmTask: bounded('validation_failed', '20,000 tasks of an initiative', {
    ...PLAN,
    path: `${PLAN.path}/tasks`,
    body: (n) => ({ title: `Task ${n}` }),
    table: 'ppm_tasks',
    most: 20_000,
    unique: { position: 'r.position + n' },
  }),
  movePpmTask: STATE,
  createPpmTaskComment: bounded('limit_reached', '5,000 comments on a task', {
    path: `${PLAN.path}/tasks/{task}/comments`,
    body: (n) => ({ text: `Comment ${n}` }),
    table: 'ppm_task_comments',
    most: 5_000,
    per: ['task_id'],
  }),
  createPpmHoliday: bounded('limit_reached', '5,000 holidays', {
    path: '/ppm/holidays',
    body: (n) => ({ date: `2026-01-0${n + 1}`, name: `Day ${n}` }),
    table: 'ppm_holidays',
    most: 5_000,
    unique: { date: `date '1990-01-01' + n` },
  }),
  createPpmBudget: bounded('validation_failed', '20,000 lines of a budget', {
    ...PLAN,
    path: `${PLAN.path}/budgets`,
    body: () => ({ fiscal_year: 2026, category: 'capex', amount: 1 }),
    table: 'ppm_budgets',
    most: 20_000,
  }),
  createPpmCost: bounded('validation_failed', '20,000 cost lines', {
    ...PLAN,
    path: `${PLAN.path}/costs`,
    body: () => ({ category: 'opex', planned: 1, date: DATE }),
    table: 'ppm_costs',
    most: 20_000,
  }),
  createPpmRisk: bounded('limit_reached', '2,500 risks of an initiative', {
    ...PLAN,
    path: `${PLAN.path}/risks`,
    body: (n) => ({ title: `Risk ${n}`, probability: 3, impact: 4, status: 'open' }),
    table: 'ppm_risks',
    most: 2_500,
  }),
  promotePpmRisk: inventory('one risk of the register for each risk of an initiative'),
  createPpmBaseline: bounded('validation_failed', '50 baselines of a plan', {
    ...PLAN,
    path: `${PLAN.path}/baselines`,
    body: (n) => ({ name: `Baseline ${n}` }),
    table: 'ppm_baselines',
    most: 50,
  }),
  importPpmPlan: bounded('ppm_file_refused', '10,000 items of a plan, as createPpmWbsItem'),

  createSavedReport: bounded('limit_reached', '500 saved reports of a user', {
    path: '/reports/saved',
    body: (n) => ({
      name: `Report ${n}`,
      report: 'portfolio',
      parameters: { type: 'Application', x: 'lifecycle_phase', y: 'data_quality' },
    }),
    table: 'reports_saved',
    most: 500,
    per: ['created_by'],
  }),

  // Risks
  createRisk: inventory('risks'),
  bulkRisks: inventory('risks'),
  moveRisk: STATE,
  addRiskFiles: bounded('validation_failed', '20 files of a risk'),
  addRiskCard: bounded('validation_failed', '500 cards of a risk'),
  setRiskCard: REPLACED,
  createRiskMitigation: bounded('limit_reached', '500 mitigations of a risk', {
    path: '/risks/{risk}/mitigations',
    body: (n) => ({ title: `Mitigation ${n}` }),
    table: 'risks_mitigations',
    most: 500,
    per: ['risk_id'],
  }),
  completeRiskOccurrence: STATE,

  // Statements of architecture work
  createSoawTemplate: bounded('limit_reached', '1,000 templates', {
    path: '/soaw/templates/own',
    body: (n) => ({ name: `Template ${n}`, sections: [{ key: 'overview', title: 'Target' }] }),
    table: 'soaw_templates',
    most: 1_000,
    unique: { name_key: `'filled ' || n` },
  }),
  createSoaw: inventory('documents'),
  setSoawSection: REPLACED,
  requestSoawSignatures: REPLACED,
  signSoaw: STATE,
  rejectSoaw: STATE,
  recallSoaw: STATE,
  reviseSoaw: inventory('revisions of documents, one open at a time'),
  createSoawComment: bounded('limit_reached', '5,000 comments on a document', {
    path: '/soaw/{soaw}/comments',
    body: (n) => ({ text: `Comment ${n}` }),
    table: 'soaw_comments',
    most: 5_000,
    per: ['document_id'],
  }),
};
