import { defineModule } from '@lintel/sdk';
import type { Host } from './basics.js';
import { COMMENT_ADDED } from './comments/notices.js';
import { comments } from './comments/resource.js';
import { Comparison } from './comparison/service.js';
import { documents, lifecycle } from './documents/resource.js';
import { EVENTS } from './events.js';
import { RENDER } from './files/job.js';
import { DocumentFiles } from './files/service.js';
import { documents as first } from './migrations/0001_soaw.js';
import { life as second } from './migrations/0002_lifecycle.js';
import { logos as third } from './migrations/0003_logos.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { documentRoutes } from './routes/document-routes.js';
import { templateRoutes } from './routes/template-routes.js';
import { SectionService } from './sections/service.js';
import { Settings } from './settings.js';
import { DECISIONS_OF_CARDS, RISKS_OF_CARDS } from './tables/capabilities.js';
import { templates } from './templates/resource.js';

function services(host: Host) {
  const register = documents.service(host);
  const life = lifecycle.service(host, (ctx, id) => register.resource(ctx, id));
  return {
    documents: register,
    lifecycle: life,
    sections: new SectionService(host, register),
    files: new DocumentFiles(host, life),
    comparison: new Comparison(host),
    comments: comments.service(host),
    templates: templates.service(host),
  };
}
type Services = ReturnType<typeof services>;

export default defineModule<Services, typeof Settings>({
  id: 'soaw',
  version: '0.1.0',
  title: 'Statements of architecture work',
  description:
    'Statements of architecture work with the sections of TOGAF and live tables of the inventory, signed, and as Word, Markdown and HTML.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  uses: [RISKS_OF_CARDS, DECISIONS_OF_CARDS],
  constraints: {
    soaw_one_open: 'invalid_state',
    soaw_one_signed: 'invalid_state',
    soaw_revision: 'conflict',
    soaw_templates_name: 'conflict',
  },
  migrations: { '0001_soaw': first, '0002_lifecycle': second, '0003_logos': third },
  events: EVENTS,
  notifications: [
    {
      kind: 'soaw.signature_requested',
      title: 'Signatures',
      description: 'Your signature of a statement of architecture work is requested.',
      email: true,
    },
    {
      kind: COMMENT_ADDED,
      title: 'Comments',
      description:
        'A comment on a statement of architecture work of yours, or on a section on which you have commented.',
      email: false,
    },
  ],
  services,
  async routes(app, { services: all, host }) {
    await app.register(templateRoutes, { services: all.templates, host, prefix: '/templates' });
    await app.register(documentRoutes, { services: all, host });
    await app.register(lifecycle.routes, { services: all.lifecycle, host });
    await app.register(comments.below('document_id'), {
      services: all.comments,
      host: host as never,
      prefix: '/:document_id/comments',
    });
  },
  cardRoutes: {
    segment: 'soaws',
    async routes(app, { services: { documents: register }, host }) {
      await app.register(documents.ofCard('cards'), { services: register, host });
    },
  },
  activate(module) {
    const { files } = module.services;
    module.job(RENDER, { handler: (job) => files.store(job), timeoutMs: 300_000 });
    module.use(() => files.close());
  },
  openapi: { tags: [{ name: 'soaw', description: 'Statements of architecture work.' }] },
  enabledByDefault: true,
});
