/**
 * Every route with every role. The expected results are written here according to the contract, not read from the code:
 * the permissions of each role, and the permission required by each route.
 */
import t from 'tap';
import {
  PASSWORD,
  client,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type Session,
} from '../support/app.js';
import { ApiTokens } from '../support/api-tokens.js';
import { staged } from '../support/imports.js';
import { untilNotified } from '../support/notifications.js';
import { systemContext } from '../../core/foundation/context.js';
import type { Document } from '../../core/foundation/http/openapi-document.js';

type Role = 'admin' | 'architect' | 'member' | 'viewer';
const ROLES: readonly Role[] = ['admin', 'architect', 'member', 'viewer'];

/** The permissions of each role initially; `admin` has all. */
const HOLDERS: Record<Role, string[]> = {
  viewer: [
    'cards.view',
    'relations.view',
    'stakeholders.view',
    'comments.view',
    'documents.view',
    'reports.view',
    'adr.view',
    'diagrams.view',
    'risks.view',
    'soaw.view',
    'bpm.view',
    'ppm.view',
    'insightlens.view',
    'comments.create',
    'todos.own',
    'notifications.own',
    'cards.export',
  ],
  member: [
    'cards.create',
    'cards.edit',
    'cards.bulk',
    'relations.manage',
    'documents.manage',
    'todos.manage',
    'adr.manage',
    'diagrams.manage',
    'risks.manage',
    'soaw.manage',
    'soaw.sign',
    'bpm.edit',
    'bpm.assess',
    'ppm.manage',
    'insightlens.manage',
    'insightlens.explain',
    'reports.share',
    'costs.view',
  ],
  architect: [
    'cards.archive',
    'cards.approve',
    'cards.import',
    'stakeholders.manage',
    'comments.manage',
    'adr.sign',
    'risks.accept',
    'bpm.approve',
    'reports.manage',
    'cards.delete',
    'metamodel.manage',
    'tags.manage',
    'views.share',
    'adr.delete',
    'soaw.delete',
  ],
  admin: [
    'users.manage',
    'roles.manage',
    'settings.manage',
    'modules.manage',
    'events.audit',
    'webhooks.manage',
    'jobs.manage',
    'portals.manage',
    'cmdbsync.view',
    'cmdbsync.manage',
    'cmdbsync.apply',
  ],
};
/** Each role has the permissions of those below it. */
const holds = (role: Role, permission: string): boolean =>
  ROLES.slice(ROLES.indexOf(role)).some((r) => HOLDERS[r].includes(permission));

/** The permission required by each route. */
const REQUIRED: Record<string, string> = {
  'GET /api/health': 'public',
  'GET /api/ready': 'public',
  'GET /api/metrics': 'public',
  'GET /api/openapi.json': 'public',
  'POST /auth/register': 'public',
  'POST /auth/login': 'public',
  'POST /auth/refresh': 'public',
  'POST /auth/accept-invitation': 'public',
  'POST /auth/forgot-password': 'public',
  'POST /auth/reset-password': 'public',
  'GET /auth/email-change': 'any user',
  'POST /auth/email-change': 'any user',
  'DELETE /auth/email-change': 'any user',
  'POST /auth/email-change/confirm': 'public',
  'POST /auth/email-change/withdraw': 'public',
  'GET /auth/sso/config': 'public',
  'GET /auth/sso/:provider/login': 'public',
  'GET /auth/sso/callback': 'public',
  'POST /auth/sso/token': 'public',
  'GET /auth/sso/logout': 'any user',
  'POST /auth/logout': 'any user',
  'GET /auth/me': 'any user',
  'PATCH /auth/me': 'any user',
  'POST /auth/change-password': 'any user',
  'GET /auth/sessions': 'any user',
  'DELETE /auth/sessions/:id': 'any user',
  'GET /auth/tokens': 'any user',
  'POST /auth/tokens': 'any user',
  'GET /auth/tokens/:id': 'any user',
  'DELETE /auth/tokens/:id': 'any user',
  'GET /users': 'users.manage',
  'POST /users': 'users.manage',
  'GET /users/invitations': 'users.manage',
  'POST /users/invitations': 'users.manage',
  'POST /users/invitations/:id/resend': 'users.manage',
  'DELETE /users/invitations/:id': 'users.manage',
  'POST /users/:id/unlock': 'users.manage',
  'GET /users/:id': 'users.manage',
  'PATCH /users/:id': 'users.manage',
  'DELETE /users/:id': 'users.manage',
  'GET /users/directory': 'any user',
  'GET /users/:user_id/tokens': 'users.manage',
  'POST /users/:user_id/tokens': 'users.manage',
  'DELETE /users/:user_id/tokens/:id': 'users.manage',
  'GET /users/:user_id/identities': 'users.manage',
  'POST /users/:user_id/identities': 'users.manage',
  'DELETE /users/:user_id/identities/:id': 'users.manage',
  'GET /users/:user_id/permissions': 'users.manage',
  'GET /roles': 'roles.manage',
  'POST /roles': 'roles.manage',
  'GET /roles/permissions': 'roles.manage',
  'GET /roles/explain': 'roles.manage',
  'GET /roles/:key': 'roles.manage',
  'PATCH /roles/:key': 'roles.manage',
  'POST /roles/:key/archive': 'roles.manage',
  'POST /roles/:key/restore': 'roles.manage',
  'GET /metamodel/types': 'any user',
  'GET /metamodel/types/:key': 'any user',
  'GET /metamodel/relation-types': 'any user',
  'GET /metamodel/relation-types/:key': 'any user',
  'POST /metamodel/types': 'metamodel.manage',
  'PATCH /metamodel/types/:key': 'metamodel.manage',
  'DELETE /metamodel/types/:key': 'metamodel.manage',
  'GET /metamodel/types/:key/usage': 'cards.view',
  'POST /metamodel/relation-types': 'metamodel.manage',
  'PATCH /metamodel/relation-types/:key': 'metamodel.manage',
  'DELETE /metamodel/relation-types/:key': 'metamodel.manage',
  'GET /metamodel/revisions': 'any user',
  'GET /metamodel/types/:key/stakeholder-roles': 'any user',
  'POST /metamodel/types/:key/stakeholder-roles': 'metamodel.manage',
  'GET /metamodel/types/:key/stakeholder-roles/:role': 'any user',
  'PATCH /metamodel/types/:key/stakeholder-roles/:role': 'metamodel.manage',
  'DELETE /metamodel/types/:key/stakeholder-roles/:role': 'metamodel.manage',
  'GET /metamodel/tag-groups': 'any user',
  'POST /metamodel/tag-groups': 'tags.manage',
  'GET /metamodel/tag-groups/:id': 'any user',
  'PATCH /metamodel/tag-groups/:id': 'tags.manage',
  'DELETE /metamodel/tag-groups/:id': 'tags.manage',
  'GET /metamodel/tag-groups/:id/tags': 'any user',
  'POST /metamodel/tag-groups/:id/tags': 'tags.manage',
  'GET /metamodel/tag-groups/:id/tags/:tag_id': 'any user',
  'PATCH /metamodel/tag-groups/:id/tags/:tag_id': 'tags.manage',
  'DELETE /metamodel/tag-groups/:id/tags/:tag_id': 'tags.manage',
  'GET /cards': 'cards.view',
  'POST /cards': 'cards.create',
  'POST /cards/bulk': 'cards.bulk',
  'GET /cards/export': 'cards.export',
  'GET /cards/facets': 'cards.view',
  'GET /cards/:id/hierarchy': 'cards.view',
  'GET /cards/:id/impact': 'cards.view',
  'GET /cards/:id': 'cards.view',
  'PATCH /cards/:id': 'cards.edit',
  'DELETE /cards/:id': 'cards.delete',
  'POST /cards/:id/archive': 'cards.archive',
  'POST /cards/:id/restore': 'cards.archive',
  'GET /cards/:id/archive-impact': 'cards.view',
  'POST /cards/:id/approval': 'cards.approve',
  'GET /cards/:id/stakeholders': 'stakeholders.view',
  'POST /cards/:id/stakeholders': 'stakeholders.manage',
  'GET /cards/:id/stakeholders/:sid': 'stakeholders.view',
  'DELETE /cards/:id/stakeholders/:sid': 'stakeholders.manage',
  'GET /cards/:id/history': 'cards.view',
  'GET /cards/:id/permissions': 'cards.view',
  'GET /cards/:id/tags': 'cards.view',
  'PUT /cards/:id/tags': 'cards.edit',
  'GET /cards/:id/comments': 'comments.view',
  'POST /cards/:id/comments': 'comments.create',
  'GET /cards/:id/comments/:cid': 'comments.view',
  'PATCH /cards/:id/comments/:cid': 'comments.create',
  'DELETE /cards/:id/comments/:cid': 'comments.view',
  'GET /cards/:id/documents': 'documents.view',
  'POST /cards/:id/documents': 'documents.manage',
  'GET /cards/:id/documents/:did': 'documents.view',
  'PATCH /cards/:id/documents/:did': 'documents.manage',
  'DELETE /cards/:id/documents/:did': 'documents.manage',
  'GET /todos': 'todos.own',
  'GET /cards/:id/todos': 'todos.own',
  'POST /cards/:id/todos': 'todos.own',
  'GET /cards/:id/todos/:tid': 'todos.own',
  'PATCH /cards/:id/todos/:tid': 'todos.own',
  'DELETE /cards/:id/todos/:tid': 'todos.own',
  'GET /relations': 'relations.view',
  'POST /relations': 'relations.manage',
  'POST /relations/bulk': 'relations.manage',
  'GET /relations/:id': 'relations.view',
  'PATCH /relations/:id': 'relations.manage',
  'DELETE /relations/:id': 'relations.manage',
  'POST /imports': 'cards.import',
  'GET /imports': 'cards.import',
  'GET /imports/formats': 'cards.import',
  'GET /imports/:id': 'cards.import',
  'GET /imports/:id/rows': 'cards.import',
  'POST /imports/:id/apply': 'cards.import',
  'DELETE /imports/:id': 'cards.import',
  'GET /events': 'events.audit',
  'GET /events/:id': 'events.audit',
  'GET /events/types': 'any user',
  'GET /events/stream': 'any user',
  'POST /events/stream-ticket': 'any user',
  'GET /notifications': 'notifications.own',
  'GET /notifications/unread-count': 'notifications.own',
  'GET /notifications/:id': 'notifications.own',
  'POST /notifications/:id/read': 'notifications.own',
  'POST /notifications/read-all': 'notifications.own',
  'GET /notifications/preferences': 'notifications.own',
  'PATCH /notifications/preferences': 'notifications.own',
  'GET /webhooks': 'webhooks.manage',
  'POST /webhooks': 'webhooks.manage',
  'GET /webhooks/:id': 'webhooks.manage',
  'PATCH /webhooks/:id': 'webhooks.manage',
  'DELETE /webhooks/:id': 'webhooks.manage',
  'POST /webhooks/:id/rotate-secret': 'webhooks.manage',
  'POST /webhooks/:id/test': 'webhooks.manage',
  'GET /webhooks/:id/deliveries': 'webhooks.manage',
  'GET /webhooks/:id/deliveries/:did': 'webhooks.manage',
  'POST /webhooks/:id/deliveries/:did/redeliver': 'webhooks.manage',
  'GET /settings': 'public',
  'PATCH /settings': 'settings.manage',
  'GET /settings/logo': 'public',
  'PUT /settings/logo': 'settings.manage',
  'DELETE /settings/logo': 'settings.manage',
  'GET /settings/smtp': 'settings.manage',
  'PATCH /settings/smtp': 'settings.manage',
  'POST /settings/smtp/test': 'settings.manage',
  'GET /settings/sso': 'settings.manage',
  'PATCH /settings/sso': 'settings.manage',
  'POST /settings/sso/test': 'settings.manage',
  'GET /settings/ai': 'settings.manage',
  'PATCH /settings/ai': 'settings.manage',
  'POST /settings/ai/test': 'settings.manage',
  'GET /settings/ai/usage': 'settings.manage',
  'GET /settings/ai/calls': 'events.audit',
  'GET /settings/ai/calls/:id': 'events.audit',
  'GET /settings/jobs': 'jobs.manage',
  'GET /settings/jobs/:id': 'jobs.manage',
  'POST /settings/jobs/:id/cancel': 'jobs.manage',
  'POST /settings/jobs/:id/retry': 'jobs.manage',
  'GET /settings/jobs/summary': 'jobs.manage',
  'POST /settings/jobs/retry': 'jobs.manage',
  'GET /settings/jobs/schedules': 'jobs.manage',
  'POST /settings/jobs/schedules/:job/run': 'jobs.manage',
  'GET /jobs/:id': 'authenticated',
  'POST /jobs/:id/cancel': 'authenticated',
  'GET /settings/modules': 'settings.manage',
  'GET /settings/modules/:id': 'settings.manage',
  'PATCH /settings/modules/:id': 'modules.manage',
  'GET /cards/:id/sections': 'cards.view',
  'DELETE /settings/modules/:id': 'modules.manage',
  'POST /settings/modules/rescan': 'modules.manage',
  'POST /settings/modules/install': 'modules.manage',
  'GET /settings/modules/:id/subscriptions': 'settings.manage',
  'GET /settings/modules/:id/parked-events': 'settings.manage',
  'POST /settings/modules/:id/parked-events/:subscription/:position/retry': 'modules.manage',
  'GET /adr': 'adr.view',
  'POST /adr': 'adr.manage',
  'GET /adr/:id': 'adr.view',
  'PATCH /adr/:id': 'adr.manage',
  'DELETE /adr/:id': 'adr.delete',
  'GET /risks': 'risks.view',
  'POST /risks': 'risks.manage',
  'POST /risks/bulk': 'risks.manage',
  'GET /risks/metrics': 'risks.view',
  'GET /risks/matrix': 'risks.view',
  'GET /risks/:id': 'risks.view',
  'PATCH /risks/:id': 'risks.manage',
  'DELETE /risks/:id': 'risks.manage',
  'POST /risks/:id/transition': 'risks.manage',
  'GET /risks/:id/history': 'risks.view',
  'GET /risks/:id/propagation': 'risks.view',
  'GET /risks/:id/cards': 'risks.view',
  'POST /risks/:id/cards': 'risks.manage',
  'GET /risks/:id/cards/:card_id': 'risks.view',
  'PUT /risks/:id/cards/:card_id': 'risks.manage',
  'DELETE /risks/:id/cards/:card_id': 'risks.manage',
  'GET /risks/:id/files': 'risks.view',
  'POST /risks/:id/files': 'risks.manage',
  'GET /risks/:id/files/:file_id': 'risks.view',
  'DELETE /risks/:id/files/:file_id': 'risks.manage',
  'GET /risks/:id/mitigations': 'risks.view',
  'POST /risks/:id/mitigations': 'risks.manage',
  'GET /risks/:id/mitigations/:mitigation_id': 'risks.view',
  'PATCH /risks/:id/mitigations/:mitigation_id': 'risks.manage',
  'DELETE /risks/:id/mitigations/:mitigation_id': 'risks.manage',
  'GET /risks/:id/mitigations/:mitigation_id/history': 'risks.view',
  'GET /risks/:id/mitigations/:mitigation_id/occurrences': 'risks.view',
  'POST /risks/:id/mitigations/:mitigation_id/occurrences/:occurrence_id/complete': 'risks.manage',
  'GET /cards/:id/risks': 'risks.view',
  'GET /cards/:id/adrs': 'adr.view',
  'GET /diagrams': 'diagrams.view',
  'POST /diagrams': 'diagrams.manage',
  'GET /diagrams/:id': 'diagrams.view',
  'PATCH /diagrams/:id': 'diagrams.manage',
  'DELETE /diagrams/:id': 'diagrams.manage',
  'GET /diagrams/:id/cards': 'diagrams.view',
  'GET /diagrams/:id/history': 'diagrams.view',
  'PUT /diagrams/:id/favourite': 'diagrams.view',
  'DELETE /diagrams/:id/favourite': 'diagrams.view',
  'GET /diagrams/:id.drawio': 'diagrams.view',
  'PUT /diagrams/:id.drawio': 'diagrams.manage',
  'GET /diagrams/:id.svg': 'diagrams.view',
  'GET /diagrams/:id.png': 'diagrams.view',
  'GET /diagrams/:id/drawing': 'diagrams.view',
  'POST /diagrams/import': 'diagrams.manage',
  'GET /diagrams/:id/versions': 'diagrams.view',
  'GET /diagrams/:id/versions/:number': 'diagrams.view',
  'GET /diagrams/:id/versions/:number.drawio': 'diagrams.view',
  'GET /diagrams/:id/versions/:number.svg': 'diagrams.view',
  'POST /diagrams/:id/versions/:number/restore': 'diagrams.manage',
  'GET /diagrams/:id/diff': 'diagrams.view',
  'POST /diagrams/generate': 'diagrams.manage',
  'POST /diagrams/:id/propose-relations': 'diagrams.view',
  'POST /diagrams/:id/match-cards': 'diagrams.manage',
  'GET /diagrams/library/groups': 'diagrams.view',
  'POST /diagrams/library/groups': 'diagrams.manage',
  'GET /diagrams/library/groups/:id': 'diagrams.view',
  'PATCH /diagrams/library/groups/:id': 'diagrams.manage',
  'DELETE /diagrams/library/groups/:id': 'diagrams.manage',
  'GET /diagrams/library/groups/:id/history': 'diagrams.view',
  'GET /cards/:id/diagrams': 'diagrams.view',
  'GET /reports': 'reports.view',
  'GET /reports/dashboard': 'reports.view',
  'GET /reports/portfolio': 'reports.view',
  'GET /reports/cost': 'reports.view',
  'GET /reports/data-quality': 'reports.view',
  'GET /reports/stakeholders': 'reports.view',
  'GET /reports/matrix': 'reports.view',
  'GET /reports/landscape': 'reports.view',
  'GET /reports/dependencies': 'reports.view',
  'GET /reports/lifecycle': 'reports.view',
  'GET /reports/end-of-life': 'reports.view',
  'GET /reports/:report': 'reports.view',
  'GET /reports/saved': 'reports.view',
  'POST /reports/saved': 'reports.view',
  'GET /reports/saved/:id': 'reports.view',
  'PATCH /reports/saved/:id': 'reports.view',
  'DELETE /reports/saved/:id': 'reports.view',
  'GET /reports/saved/:id/history': 'reports.view',
  'GET /reports/saved/:id/result': 'reports.view',
  'GET /adr/graph': 'adr.view',
  'GET /adr/:id.md': 'adr.view',
  'GET /adr/export.zip': 'adr.view',
  'POST /adr/import': 'adr.manage',
  'GET /adr/:id/revisions': 'adr.view',
  'POST /adr/:id/request-signatures': 'adr.manage',
  'POST /adr/:id/sign': 'adr.sign',
  'POST /adr/:id/reject': 'adr.sign',
  'POST /adr/:id/recall': 'adr.manage',
  'POST /adr/:id/revise': 'adr.manage',
  'GET /soaw': 'soaw.view',
  'POST /soaw': 'soaw.manage',
  'GET /soaw/:id': 'soaw.view',
  'PATCH /soaw/:id': 'soaw.manage',
  'DELETE /soaw/:id': 'soaw.delete',
  'GET /soaw/:id/history': 'soaw.view',
  'PUT /soaw/:id/sections/:key': 'soaw.manage',
  'GET /soaw/:id/tables': 'soaw.view',
  'GET /soaw/:id/diff': 'soaw.view',
  'GET /soaw/:id.docx': 'soaw.view',
  'GET /soaw/:id.md': 'soaw.view',
  'GET /soaw/:id.html': 'soaw.view',
  'GET /soaw/:id/revisions': 'soaw.view',
  'POST /soaw/:id/request-signatures': 'soaw.manage',
  'POST /soaw/:id/sign': 'soaw.sign',
  'POST /soaw/:id/reject': 'soaw.sign',
  'POST /soaw/:id/recall': 'soaw.manage',
  'POST /soaw/:id/revise': 'soaw.manage',
  'GET /soaw/:document_id/comments': 'soaw.view',
  'POST /soaw/:document_id/comments': 'soaw.view',
  'GET /soaw/:document_id/comments/:id': 'soaw.view',
  'PATCH /soaw/:document_id/comments/:id': 'soaw.view',
  'DELETE /soaw/:document_id/comments/:id': 'soaw.view',
  'GET /soaw/:document_id/comments/:id/history': 'soaw.view',
  'GET /soaw/templates': 'soaw.view',
  'GET /soaw/templates/built-in': 'soaw.view',
  'GET /soaw/templates/own': 'soaw.view',
  'POST /soaw/templates/own': 'soaw.manage',
  'GET /soaw/templates/own/:id': 'soaw.view',
  'PATCH /soaw/templates/own/:id': 'soaw.manage',
  'DELETE /soaw/templates/own/:id': 'soaw.manage',
  'GET /soaw/templates/own/:id/history': 'soaw.view',
  'GET /cards/:id/soaws': 'soaw.view',
  'GET /bpm/processes': 'bpm.view',
  'GET /bpm/processes/:card_id': 'bpm.view',
  'GET /bpm/processes/:card_id/flow/versions': 'bpm.view',
  'POST /bpm/processes/:card_id/flow/versions': 'bpm.edit',
  'POST /bpm/processes/:card_id/flow/versions/upload': 'bpm.edit',
  'GET /bpm/processes/:card_id/flow/versions/:version_id': 'bpm.view',
  'PATCH /bpm/processes/:card_id/flow/versions/:version_id': 'bpm.edit',
  'DELETE /bpm/processes/:card_id/flow/versions/:version_id': 'bpm.edit',
  'GET /bpm/processes/:card_id/flow/versions/:version_id.bpmn': 'bpm.view',
  'PUT /bpm/processes/:card_id/flow/versions/:version_id.bpmn': 'bpm.edit',
  'GET /bpm/processes/:card_id/flow/versions/:version_id.svg': 'bpm.view',
  'GET /bpm/processes/:card_id/flow/versions/:version_id.png': 'bpm.view',
  'GET /bpm/processes/:card_id/flow/versions/:version_id/diff': 'bpm.view',
  'GET /bpm/processes/:card_id/flow/versions/:version_id/history': 'bpm.view',
  'GET /bpm/processes/:card_id/flow/versions/:version_id/problems': 'bpm.view',
  'POST /bpm/processes/:card_id/flow/versions/:version_id/submit': 'bpm.edit',
  'POST /bpm/processes/:card_id/flow/versions/:version_id/withdraw': 'bpm.edit',
  'POST /bpm/processes/:card_id/flow/versions/:version_id/approve': 'bpm.approve',
  'POST /bpm/processes/:card_id/flow/versions/:version_id/reject': 'bpm.approve',
  'GET /bpm/processes/:card_id/elements': 'bpm.view',
  'GET /bpm/processes/:card_id/elements/:element_id': 'bpm.view',
  'PUT /bpm/processes/:card_id/elements/:element_id/links': 'bpm.edit',
  'GET /bpm/processes/:card_id/assessments': 'bpm.view',
  'POST /bpm/processes/:card_id/assessments': 'bpm.assess',
  'GET /bpm/processes/:card_id/assessments/trend': 'bpm.view',
  'GET /bpm/processes/:card_id/assessments/:id': 'bpm.view',
  'PATCH /bpm/processes/:card_id/assessments/:id': 'bpm.assess',
  'DELETE /bpm/processes/:card_id/assessments/:id': 'bpm.assess',
  'GET /bpm/processes/:card_id/assessments/:id/history': 'bpm.view',
  'GET /bpm/templates': 'bpm.view',
  'POST /bpm/templates': 'bpm.edit',
  'GET /bpm/templates/:id': 'bpm.view',
  'PATCH /bpm/templates/:id': 'bpm.edit',
  'DELETE /bpm/templates/:id': 'bpm.edit',
  'GET /bpm/templates/:id/history': 'bpm.view',
  'GET /bpm/templates/:id.bpmn': 'bpm.view',
  'PUT /bpm/templates/:id.bpmn': 'bpm.edit',
  'GET /bpm/reports/dashboard': 'bpm.view',
  'GET /bpm/reports/process-map': 'bpm.view',
  'GET /bpm/reports/capability-process-matrix': 'bpm.view',
  'GET /bpm/reports/process-application-matrix': 'bpm.view',
  'GET /bpm/reports/dependencies': 'bpm.view',
  'GET /bpm/reports/element-application-map': 'bpm.view',
  'GET /bpm/reports/heatmap': 'bpm.view',
  'GET /ppm/holidays': 'ppm.view',
  'POST /ppm/holidays': 'ppm.manage',
  'DELETE /ppm/holidays/:id': 'ppm.manage',
  'GET /ppm/holidays/:id': 'ppm.view',
  'PATCH /ppm/holidays/:id': 'ppm.manage',
  'GET /ppm/holidays/:id/history': 'ppm.view',
  'GET /ppm/initiatives': 'ppm.view',
  'GET /ppm/initiatives/:card_id': 'ppm.view',
  'GET /ppm/initiatives/:card_id/baselines': 'ppm.view',
  'POST /ppm/initiatives/:card_id/baselines': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/baselines/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/baselines/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/baselines/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/baselines/:id/compare': 'ppm.view',
  'GET /ppm/initiatives/:card_id/baselines/:id/history': 'ppm.view',
  'GET /ppm/initiatives/:card_id/budgets': 'ppm.view',
  'POST /ppm/initiatives/:card_id/budgets': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/budgets/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/budgets/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/budgets/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/budgets/:id/history': 'ppm.view',
  'GET /ppm/initiatives/:card_id/costs': 'ppm.view',
  'POST /ppm/initiatives/:card_id/costs': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/costs/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/costs/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/costs/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/costs/:id/history': 'ppm.view',
  'GET /ppm/initiatives/:card_id/dependencies': 'ppm.view',
  'POST /ppm/initiatives/:card_id/dependencies': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/dependencies/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/dependencies/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/dependencies/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/dependencies/:id/history': 'ppm.view',
  'GET /ppm/initiatives/:card_id/earned-value': 'ppm.view',
  'GET /ppm/initiatives/:card_id/gantt': 'ppm.view',
  'GET /ppm/initiatives/:card_id/plan': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/plan': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/plan.csv': 'ppm.view',
  'GET /ppm/initiatives/:card_id/plan.xml': 'ppm.view',
  'POST /ppm/initiatives/:card_id/plan/import': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/resource-load': 'ppm.view',
  'GET /ppm/initiatives/:card_id/risks': 'ppm.view',
  'POST /ppm/initiatives/:card_id/risks': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/risks/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/risks/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/risks/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/risks/:id/history': 'ppm.view',
  'POST /ppm/initiatives/:card_id/risks/:id/promote': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/schedule': 'ppm.view',
  'GET /ppm/initiatives/:card_id/status-reports': 'ppm.view',
  'POST /ppm/initiatives/:card_id/status-reports': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/status-reports/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/status-reports/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/status-reports/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/status-reports/:id/history': 'ppm.view',
  'GET /ppm/initiatives/:card_id/tasks': 'ppm.view',
  'POST /ppm/initiatives/:card_id/tasks': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/tasks/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/tasks/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/tasks/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/tasks/:id/comments': 'ppm.view',
  'POST /ppm/initiatives/:card_id/tasks/:id/comments': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/tasks/:id/comments/:comment_id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/tasks/:id/comments/:comment_id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/tasks/:id/comments/:comment_id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/tasks/:id/comments/:comment_id/history': 'ppm.view',
  'GET /ppm/initiatives/:card_id/tasks/:id/history': 'ppm.view',
  'POST /ppm/initiatives/:card_id/tasks/:id/move': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/wbs': 'ppm.view',
  'POST /ppm/initiatives/:card_id/wbs': 'ppm.manage',
  'DELETE /ppm/initiatives/:card_id/wbs/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/wbs/:id': 'ppm.view',
  'PATCH /ppm/initiatives/:card_id/wbs/:id': 'ppm.manage',
  'GET /ppm/initiatives/:card_id/wbs/:id/history': 'ppm.view',
  'POST /ppm/initiatives/:card_id/wbs/:id/move': 'ppm.manage',
  'GET /ppm/reports/budget-vs-actual': 'costs.view',
  'GET /ppm/reports/dashboard': 'ppm.view',
  'GET /ppm/reports/gantt': 'ppm.view',
  'GET /ppm/reports/resource-load': 'ppm.view',
  'GET /ppm/tasks': 'ppm.view',
  'GET /cmdbsync/connectors': 'cmdbsync.view',
  'GET /cmdbsync/connections': 'cmdbsync.view',
  'POST /cmdbsync/connections': 'cmdbsync.manage',
  'GET /cmdbsync/connections/:id': 'cmdbsync.view',
  'PATCH /cmdbsync/connections/:id': 'cmdbsync.manage',
  'DELETE /cmdbsync/connections/:id': 'cmdbsync.manage',
  'GET /cmdbsync/connections/:id/history': 'cmdbsync.view',
  'POST /cmdbsync/connections/:id/test': 'cmdbsync.manage',
  'GET /cmdbsync/connections/:id/tables': 'cmdbsync.view',
  'GET /cmdbsync/connections/:id/tables/:table/fields': 'cmdbsync.view',
  'POST /cmdbsync/connections/:id/mappings/from-template': 'cmdbsync.manage',
  'GET /cmdbsync/mappings': 'cmdbsync.view',
  'POST /cmdbsync/mappings': 'cmdbsync.manage',
  'GET /cmdbsync/mappings/:id': 'cmdbsync.view',
  'PATCH /cmdbsync/mappings/:id': 'cmdbsync.manage',
  'DELETE /cmdbsync/mappings/:id': 'cmdbsync.manage',
  'GET /cmdbsync/mappings/:id/history': 'cmdbsync.view',
  'POST /cmdbsync/mappings/:id/preview': 'cmdbsync.manage',
  'GET /cmdbsync/templates': 'cmdbsync.view',
  'POST /cmdbsync/mappings/:id/runs': 'cmdbsync.apply',
  'GET /cmdbsync/runs': 'cmdbsync.view',
  'GET /cmdbsync/runs/:id': 'cmdbsync.view',
  'GET /cmdbsync/runs/:id/records': 'cmdbsync.view',
  'GET /cmdbsync/runs/:id/report': 'cmdbsync.view',
  'POST /cmdbsync/runs/:id/apply': 'cmdbsync.apply',
  'POST /cmdbsync/runs/:id/cancel': 'cmdbsync.apply',
  'GET /cmdbsync/records/:id': 'cmdbsync.view',
  'POST /cmdbsync/records/:id/resolve': 'cmdbsync.apply',
  'GET /cmdbsync/identities': 'cmdbsync.view',
  'DELETE /cmdbsync/identities/:id': 'cmdbsync.manage',
  'POST /insightlens/suppliers/analyse': 'insightlens.manage',
  'POST /insightlens/duplicates/analyse': 'insightlens.manage',
  'POST /insightlens/security/analyse': 'insightlens.manage',
  'POST /insightlens/modernisation/analyse': 'insightlens.manage',
  'GET /portals': 'portals.manage',
  'POST /portals': 'portals.manage',
  'GET /portals/:id': 'portals.manage',
  'PATCH /portals/:id': 'portals.manage',
  'DELETE /portals/:id': 'portals.manage',
  'GET /portals/:id/history': 'portals.manage',
  'GET /portals/public/:slug': 'public',
  'GET /portals/public/:slug/cards': 'public',
  'GET /portals/public/:slug/cards/:id': 'public',
  'GET /portals/public/:slug/page': 'public',
  'GET /portals/public/:slug/page/:id': 'public',
  'GET /insightlens/runs': 'insightlens.view',
  'GET /insightlens/runs/:id': 'insightlens.view',
  'POST /insightlens/runs/:id/cancel': 'insightlens.manage',
  'GET /insightlens/findings': 'insightlens.view',
  'GET /insightlens/findings/:id': 'insightlens.view',
  'POST /insightlens/findings/:id/transition': 'insightlens.manage',
  'GET /insightlens/duplicates': 'insightlens.view',
  'GET /insightlens/suppliers': 'insightlens.view',
  'GET /insightlens/suppliers/tree': 'insightlens.view',
  'GET /insightlens/suppliers/:id': 'insightlens.view',
  'PATCH /insightlens/suppliers/:id': 'insightlens.manage',
  'POST /insightlens/findings/:id/promote': 'insightlens.manage',
  'POST /insightlens/findings/bulk-transition': 'insightlens.manage',
  'GET /insightlens/rules': 'insightlens.view',
  'GET /insightlens/compliance': 'insightlens.view',
  'GET /insightlens/compliance/:regulation': 'insightlens.view',
  'GET /insightlens/modernisation': 'insightlens.view',
  'GET /insightlens/feeds': 'insightlens.view',
  'GET /insightlens/feeds/:feed': 'insightlens.view',
  'GET /insightlens/feeds/odd-versions': 'insightlens.view',
  'GET /insightlens/feeds/matched': 'insightlens.view',
  'GET /insightlens/feeds/unmatched': 'insightlens.view',
  'POST /insightlens/feeds/:feed/upload': 'insightlens.manage',
  'POST /insightlens/feeds/:feed/fetch': 'insightlens.manage',
  'GET /insightlens/card-products/:id': 'insightlens.view',
  'PUT /insightlens/card-products/:id': 'insightlens.manage',
  'DELETE /insightlens/card-products/:id': 'insightlens.manage',
  'POST /insightlens/findings/:id/explain': 'insightlens.explain',
  'POST /insightlens/architect/proposals': 'insightlens.manage',
  'GET /insightlens/architect/proposals': 'insightlens.view',
  'GET /insightlens/architect/proposals/:id': 'insightlens.view',
  'PATCH /insightlens/architect/proposals/:id': 'insightlens.manage',
  'DELETE /insightlens/architect/proposals/:id': 'insightlens.manage',
  'POST /insightlens/architect/proposals/:id/cancel': 'insightlens.manage',
  'POST /insightlens/architect/proposals/:id/commit': 'insightlens.manage',
};

/** Routes that refuse API tokens, also with the permission. */
const SESSION_ONLY = [
  'GET /auth/email-change',
  'POST /auth/email-change',
  'DELETE /auth/email-change',
  'POST /users',
  'POST /roles',
  'POST /roles/:key/restore',
  'POST /users/invitations',
  'POST /users/invitations/:id/resend',
  'DELETE /users/invitations/:id',
  'POST /auth/logout',
  'PATCH /auth/me',
  'POST /auth/change-password',
  'GET /auth/sessions',
  'DELETE /auth/sessions/:id',
  'GET /auth/tokens',
  'POST /auth/tokens',
  'GET /auth/tokens/:id',
  'DELETE /auth/tokens/:id',
  'GET /users/:user_id/tokens',
  'POST /users/:user_id/tokens',
  'DELETE /users/:user_id/tokens/:id',
  'GET /auth/sso/logout',
  'GET /users/:user_id/identities',
  'POST /users/:user_id/identities',
  'DELETE /users/:user_id/identities/:id',
  'PATCH /settings/sso',
  'PATCH /settings/smtp',
  'POST /settings/modules/install',
  'POST /webhooks',
  'PATCH /webhooks/:id',
  'POST /webhooks/:id/rotate-secret',
];

/** Routes that require two permissions: that which is checked before the one in the table. */
const CHECKED_FIRST: Record<string, string> = { 'GET /ppm/reports/budget-vs-actual': 'ppm.view' };

/** Permissions of routes of later versions, and those that are only checked within a service. */
const NO_ROUTE_YET = ['views.share'];
const ASKED_WITHIN = [
  'reports.share',
  'reports.manage',
  'risks.accept',
  'costs.view',
  'comments.manage',
  'todos.manage',
];

/** Routes that `responsible` permits on its card. */
const RESPONSIBLE = [
  'card.edit',
  'card.archive',
  'card.approve',
  'card.manage_stakeholders',
  'card.manage_relations',
  'card.manage_documents',
  'card.manage_comments',
  'card.create_comments',
  'card.view_costs',
];

const NOWHERE = '01900000-0000-7000-8000-00000000dead';
const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const sessions: Record<Role, Session> = {
  admin,
  architect: await makeUser(admin, 'architect'),
  member: await makeUser(admin, 'member'),
  viewer: await makeUser(admin, 'viewer'),
};
const other = await makeUser(admin, 'viewer');
const service = await makeUser(admin, 'viewer', 'service');
const disabled = await makeUser(admin, 'architect');
await admin.api.patch(`/users/${disabled.user.id}`, { is_active: false });
const tokens = new ApiTokens(origin);
const document = (await admin.api.get<Document>('/api/openapi.json')).body;

const make = async (path: string, body: unknown): Promise<string> => {
  const answer = await admin.api.post(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
const card = await make('/cards', { type: 'Application', name: 'Guarded' });
const unrelated = await make('/cards', { type: 'Application', name: 'Unrelated' });
// Inserted, because no address is reached from here, and none of the accounts of the test is a service account.
const [connection] = await sql<{ id: string }>(
  database,
  `insert into cmdbsync_connections (id, name, name_key, connector, config, max_requests_per_second)
   values (gen_random_uuid(), 'Guarded', 'guarded', 'none', '{}', 1) returning id`,
);
const [mapping] = await sql<{ id: string }>(
  database,
  `insert into cmdbsync_mappings (id, connection_id, name, name_key, card_type, table_name, direction, fields, identity, relations,
     creates_remote, delete_policy, delete_ratio, proposes_matches, auto_apply, time_zone, is_enabled)
   select gen_random_uuid(), id, 'Guarded', 'guarded', 'Application', 'none', 'pull', '[]', '[]', '[]', false, 'ignore', 0, false, false,
     'UTC', true from cmdbsync_connections returning id`,
);
const [run] = await sql<{ id: string }>(
  database,
  `insert into cmdbsync_runs (id, mapping_id, state, direction, is_full, dry_run, auto_apply)
   values (gen_random_uuid(), $1, 'review', 'pull', true, false, false) returning id`,
  [mapping!.id],
);
const [record] = await sql<{ id: string }>(
  database,
  `insert into cmdbsync_records (id, run_id, external_id, card_id, card_type, action, side, state, diff)
   values (gen_random_uuid(), $1, 'guarded', $2, 'Application', 'update', 'card', 'pending', '[]') returning id`,
  [run!.id, card],
);
const [identity] = await sql<{ id: string }>(
  database,
  `insert into cmdbsync_identities (mapping_id, external_id, id, card_id)
   values ($1, 'guarded', gen_random_uuid(), $2) returning id`,
  [mapping!.id, card],
);
const [insight] = await sql<{ id: string }>(
  database,
  "insert into insightlens_runs (id, kind, state) values (gen_random_uuid(), 'guarded', 'queued') returning id",
);
const [finding] = await sql<{ id: string }>(
  database,
  `insert into insightlens_findings (id, kind, rule, key, state)
   values (gen_random_uuid(), 'security', 'owner-missing', 'guarded', 'new') returning id`,
);
const [supplier] = await sql<{ id: string }>(
  database,
  'insert into insightlens_suppliers (id) values (gen_random_uuid()) returning id',
);
const [proposal] = await sql<{ id: string }>(
  database,
  `insert into insightlens_proposals (id, state, asked_by, title, requirement)
   values (gen_random_uuid(), 'ready', $1, 'Guarded', 'Guarded') returning id`,
  [other.user.id],
);
const [modelCall] = await sql<{ id: string }>(
  database,
  `with months as (insert into ai_months (month) values ('2026-01-01') returning month)
   insert into ai_calls (id, month, module, purpose, provider, model, state, reserved, expires_at)
   select gen_random_uuid(), month, 'guarded', 'guarded', 'openai', 'guarded', 'done', 0, now() from months returning id`,
);
// Inserted, because there is no mail server.
const [invitation] = await sql<{ id: string }>(
  database,
  `insert into invitations (id, email, email_key, role, expires_at)
   values (gen_random_uuid(), 'guarded@example.org', 'guarded@example.org', 'viewer', now() + interval '1 day') returning id`,
);
const there: [url: RegExp, id: string][] = [
  [
    /^\/cards\/:id\/stakeholders\/:sid/,
    await make(`/cards/${card}/stakeholders`, { user_id: other.user.id, role: 'observer' }),
  ],
  [/^\/cards\/:id\/comments\/:cid/, await make(`/cards/${card}/comments`, { body: 'Guarded' })],
  [
    /^\/cards\/:id\/documents\/:did/,
    await make(`/cards/${card}/documents`, { name: 'Guarded', url: 'https://example.org/' }),
  ],
  [/^\/cards\/:id\/todos\/:tid/, await make(`/cards/${card}/todos`, { title: 'Guarded' })],
  [/^\/cards\//, card],
  [/^\/relations\//, await make('/relations', { type: 'related', source_id: card, target_id: unrelated })],
  [/^\/imports\//, (await staged(admin.api, 'csv', 'type,name\nProvider,Guarded\n')).id],
  [/^\/users\/invitations\//, invitation!.id],
  [/^\/users\//, other.user.id],
  [/^\/roles\//, 'viewer'],
  [/^\/metamodel\/types\//, 'Application'],
  [/^\/metamodel\/relation-types\//, 'related'],
  [/^\/metamodel\/tag-groups\//, NOWHERE],
  [/^\/events\//, '1'],
  [/^\/settings\/modules\//, 'adr'],
  [/^\/settings\/jobs\/schedules\//, 'cards.purge'],
  [/^\/(settings\/)?jobs\//, (await app.services.jobs.submit(systemContext('test'), 'test.guarded', {}))!],
  [/^\/adr\//, await make('/adr', { title: 'Guarded' })],
  [
    /^\/soaw\/templates\/own\//,
    await make('/soaw/templates/own', { name: 'Guarded', sections: [{ key: 'a', title: 'A' }] }),
  ],
  [/^\/soaw\//, await make('/soaw', { title: 'Guarded' })],
  [/^\/bpm\/templates\//, await make('/bpm/templates', { name: 'Guarded' })],
  [/^\/bpm\/processes\//, await make('/cards', { type: 'BusinessProcess', name: 'Guarded' })],
  [/^\/ppm\/initiatives\//, await make('/cards', { type: 'Initiative', name: 'Guarded' })],
  [/^\/diagrams\/library\/groups\//, await make('/diagrams/library/groups', { name: 'Guarded' })],
  [/^\/diagrams\//, await make('/diagrams', { name: 'Guarded' })],
  [/^\/cmdbsync\/connections\//, connection!.id],
  [/^\/cmdbsync\/mappings\//, mapping!.id],
  [/^\/cmdbsync\/runs\//, run!.id],
  [/^\/cmdbsync\/records\//, record!.id],
  [/^\/cmdbsync\/identities\//, identity!.id],
  [/^\/insightlens\/runs\//, insight!.id],
  [/^\/insightlens\/findings\//, finding!.id],
  [/^\/insightlens\/suppliers\//, supplier!.id],
  [/^\/insightlens\/card-products\//, card],
  [/^\/insightlens\/compliance\//, 'gdpr'],
  [/^\/insightlens\/feeds\//, 'kev'],
  [/^\/insightlens\/architect\/proposals\//, proposal!.id],
  [/^\/settings\/ai\/calls\//, modelCall!.id],
  [/^\/portals\//, await make('/portals', { slug: 'guarded', title: 'Guarded', type: 'Application' })],
  [/^\/risks\//, await make('/risks', { title: 'Guarded', category: 'security' })],
  [
    /^\/reports\/saved\//,
    await make('/reports/saved', { name: 'Guarded', report: 'dashboard', parameters: {}, visibility: 'public' }),
  ],
  [/^\/reports\/:report/, 'risks.heat-map'],
  [/^\/webhooks\//, await make('/webhooks', { url: 'https://hooks.example.org/guarded', is_active: false })],
  // A holiday starts a job, whose end would count as a change made by a request.
  [/^\/ppm\/holidays\//, NOWHERE],
  [/^\/auth\/(sessions|tokens|sso)\//, NOWHERE],
  [/^\/notifications\//, NOWHERE],
];

// Notifications of the set-up are created later, and must not be attributed to refused requests.
await untilNotified({ app, origin, database, close });

interface Route {
  name: string;
  method: string;
  url: string;
  example: unknown;
}
const routes: Route[] = app.routeTable.map(({ method, url }) => {
  const content =
    document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
  const example =
    content?.example ?? (Object.values(content?.examples ?? {})[0] as { value: unknown } | undefined)?.value;
  const short = url.replace(/^\/api\/v1/, '');
  return { name: `${method} ${short}`, method, url: short, example };
});
/** The path with ids of existing objects, so that a request that is wrongly permitted changes data, which is detected. */
const real = ({ url }: Route): string =>
  url
    .replace(/\/cards\/:id(?=\/)/, `/cards/${card}`)
    .replace(/:\w+/, () => there.find(([pattern]) => pattern.test(url))![1]);
const nowhere = ({ url }: Route): string => url.replace(/:\w+/g, NOWHERE);

async function send(token: string | undefined, route: Route, path: string, body = route.example): Promise<number> {
  if (route.url === '/events/stream' && token !== undefined) {
    const stream = await openStream(origin, token);
    stream.close();
    return stream.status;
  }
  return (await client(origin, token).send(route.method, path, body)).status;
}

/** Numbers of rows of every table with data of users; tables that the service cleans up itself are omitted. */
async function state(): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>(
    database,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('rate_hits', 'login_misses', 'event_outbox', 'card_counts') order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables)
    counts[name] = (await sql<{ n: number }>(database, `select count(*)::int as n from "${name}"`))[0]!.n;
  const [rest] = await sql<{ n: number }>(
    database,
    `select (select count(*) from event_outbox)::int + (select coalesce(max(position), 0) from events)::int as n`,
  );
  return { ...counts, said: rest!.n };
}

// A slot of a recurring job that falls into this test would count as a change made by a request.
app.services.cron.close();

t.test('the table of this test and the routes are the same', async (t) => {
  t.same(routes.map((r) => r.name).sort(), Object.keys(REQUIRED).sort());
  const sessionOnly = app.routeTable.filter(({ config }) => config.sessionOnly === true);
  t.same(
    sessionOnly.map(({ method, url }) => `${method} ${url.replace(/^\/api\/v1/, '')}`).sort(),
    SESSION_ONLY.toSorted(),
  );
});

t.test('without a valid token: 401, and nothing is changed', async (t) => {
  const before = await state();
  const invalid: Record<string, string | undefined> = {
    anonymous: undefined,
    rubbish: 'rubbish',
    'a disabled user': disabled.token,
  };
  for (const route of routes.filter((r) => REQUIRED[r.name] !== 'public')) {
    for (const [caller, token] of Object.entries(invalid)) {
      const answer: Answer = await client(origin, token).send(route.method, real(route), route.example);
      t.equal(answer.status, 401, `${route.name}, ${caller}`);
      t.equal(answer.body.code, 'invalid_token', route.name);
      t.match(answer.headers.get('www-authenticate'), /^Bearer/, route.name);
    }
  }
  t.same(await state(), before);
});

t.test('without the permission: 403 that names it, and nothing is changed', async (t) => {
  const before = await state();
  let refusals = 0;
  for (const route of routes) {
    const permission = REQUIRED[route.name]!;
    for (const role of ROLES.filter((r) => permission.includes('.') && !holds(r, permission))) {
      const answer: Answer = await sessions[role].api.send(route.method, real(route), route.example);
      t.equal(answer.status, 403, `${route.name} as ${role}`);
      t.match(answer.body, { code: 'forbidden', required_permission: permission }, `${route.name} as ${role}`);
      // Permissions are checked before the body, so that a refused caller gets no errors of the body.
      if (route.example !== undefined && role !== 'viewer')
        t.equal(
          await send(sessions[role].token, route, real(route), { bogus: 1 }),
          403,
          `${route.name} as ${role}, whatever the body`,
        );
      if (role === 'viewer') {
        const body = route.example === undefined ? undefined : { bogus: 1 };
        t.equal(await send(service.token, route, real(route), body), 403, `${route.name} as a service account`);
      }
      refusals++;
    }
  }
  t.ok(refusals > 40, `${refusals} refusals`);
  t.same(await state(), before);
});

t.test('with the permission: neither 401 nor 403', async (t) => {
  for (const route of routes) {
    const permission = REQUIRED[route.name]!;
    if (permission === 'public') continue;
    for (const role of ROLES.filter((r) => permission === 'any user' || holds(r, permission))) {
      // Routes that end sessions are called by a new user.
      const ends = ['POST /auth/logout', 'POST /auth/change-password'].includes(route.name);
      const { token } = ends ? await makeUser(admin, role) : sessions[role];
      const body =
        route.name === 'POST /auth/change-password'
          ? { current_password: PASSWORD, new_password: `${PASSWORD}-new` }
          : route.example;
      const status = await send(token, route, nowhere(route), body);
      t.ok(status !== 401 && status !== 403 && status < 500, `${route.name} as ${role}: ${status}`);
    }
  }
});

const [ONE, ANOTHER] = ['cards.view', 'risks.view'];
const isGiven = (permission: string): boolean => permission.includes('.');

t.test('a service account has what its role has, as a person', async (t) => {
  for (const route of routes.filter(({ name }) => holds('viewer', REQUIRED[name]!))) {
    const status = await send(service.token, route, nowhere(route));
    t.ok(status !== 401 && status !== 403 && status < 500, `${route.name}: ${status}`);
  }
});

t.test(
  'an own role and an API token with one permission: 403 without that of the route, and nothing is changed',
  async (t) => {
    await make('/roles', { key: 'solo', label: 'Solo', permissions: [ONE] });
    const callers = {
      'own role': (await makeUser(admin, 'solo')).api,
      'API token of an administrator': await tokens.of(admin, [ONE]),
    };
    await untilNotified({ app, origin, database, close });
    // Jobs that requests before have queued change something too.
    await until(
      async () =>
        (
          await sql(
            database,
            "select from jobs where type <> 'test.guarded' and state in ('queued', 'running') and run_at < now() + interval '1 minute'",
          )
        ).length === 0,
    );
    const before = await state();
    for (const route of routes) {
      const permission = REQUIRED[route.name]!;
      if (!isGiven(permission) || permission === ONE) continue;
      for (const [caller, api] of Object.entries(callers)) {
        const { status, body } = await api.send(route.method, real(route), route.example);
        const isSession = SESSION_ONLY.includes(route.name) && caller !== 'own role';
        t.match(
          [status, body],
          [
            403,
            isSession
              ? { code: 'session_required' }
              : { code: 'forbidden', required_permission: CHECKED_FIRST[route.name] ?? permission },
          ],
          `${route.name}, ${caller}`,
        );
      }
    }
    t.same(await state(), before);
  },
);

t.test('with exactly the permission of the route, by an own role and by an API token', async (t) => {
  const solo = await makeUser(admin, 'solo');
  // A user may have 50 tokens.
  const owners = [await makeUser(admin, 'admin'), await makeUser(admin, 'admin')];
  const given = [...new Set(Object.values(REQUIRED))].filter((permission) => permission !== 'public');
  for (const [n, permission] of given.entries()) {
    const one = isGiven(permission) ? permission : ANOTHER;
    await admin.api.patch('/roles/solo', { permissions: [one] });
    const callers = { 'own role': solo.token, 'API token': (await tokens.made(owners[n % 2]!, [one])).token };
    for (const route of routes.filter(({ name }) => REQUIRED[name] === permission)) {
      const ends = ['POST /auth/logout', 'POST /auth/change-password'].includes(route.name);
      for (const [caller, token] of Object.entries(callers)) {
        if (ends && caller === 'own role') continue;
        if (caller === 'API token' && SESSION_ONLY.includes(route.name)) {
          const answer = await client(origin, token).send(route.method, nowhere(route), route.example);
          t.match([answer.status, answer.body.code], [403, 'session_required'], `${route.name}, ${caller}`);
          continue;
        }
        if (route.url === '/events/stream') {
          t.equal(await send(token, route, ''), 200, `${route.name}, ${caller}`);
          continue;
        }
        // A service may require a further permission, which it names.
        const { status, body } = await client(origin, token).send(route.method, nowhere(route), route.example);
        const isRefused = status === 401 || (status === 403 && body['required_permission'] === permission);
        t.ok(!isRefused && status < 500, `${route.name}, ${caller}: ${status}`);
      }
    }
  }
});

t.test('a stakeholder role on the card grants its permissions, on that card only', async (t) => {
  // Routes that a viewer may use on every card are omitted.
  const guarded = app.routeTable.filter(
    ({ access }) => typeof access === 'object' && access.card !== undefined && !holds('viewer', access.permission),
  );
  t.ok(guarded.length >= 4, `${guarded.length} routes also check the card`);
  const own = await make('/cards', { type: 'Application', name: 'Own' });
  await make(`/cards/${own}/stakeholders`, { user_id: sessions.viewer.user.id, role: 'responsible' });
  const viewing = (await tokens.made(sessions.viewer, ['cards.view'])).token;
  for (const { method, url, access } of guarded) {
    if (typeof access !== 'object' || !RESPONSIBLE.includes(access.cardPermission ?? '')) continue;
    const route = routes.find((r) => r.name === `${method} ${url.replace(/^\/api\/v1/, '')}`)!;
    const on = (id: string): string => route.url.replace(':id', id).replace(/:\w+/g, NOWHERE);
    t.equal(await send(sessions.viewer.token, route, on(unrelated)), 403, `${route.name} on another card`);
    const status = await send(sessions.viewer.token, route, on(own));
    t.ok(status !== 403 && status !== 401 && status < 500, `${route.name} on the own card: ${status}`);
    t.equal(await send(viewing, route, on(own)), 403, `${route.name} on the own card, by a token without it`);
  }
  t.equal(
    await send(other.token, { name: '', method: 'PATCH', url: '', example: undefined }, `/cards/${card}`, {
      alias: 'x',
    }),
    403,
    'an observer may not edit',
  );
});

t.test('every declared permission is required by some route', async (t) => {
  const asked = new Set([...Object.values(REQUIRED), ...ASKED_WITHIN]);
  const declared = app.services.permissions.list().map((p) => p.key);
  t.same(declared.filter((key) => !asked.has(key)).sort(), NO_ROUTE_YET.filter((key) => declared.includes(key)).sort());
  t.same(
    [...asked].filter((key) => key.includes('.') && !declared.includes(key)),
    [],
    'and no other one',
  );
});
