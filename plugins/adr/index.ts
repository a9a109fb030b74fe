import { defineModule, provide } from '@lintel/sdk';
import { ADR_CREATE, ADR_OF_CARDS, type AdrCreator } from './capability.js';
import { EVENTS } from './events.js';
import { AdrExportService } from './export-service.js';
import { AdrImportService } from './import-service.js';
import { lifecycle } from './lifecycle.js';
import * as first from './migrations/0001_adr.js';
import * as second from './migrations/0002_life.js';
import * as third from './migrations/0003_markdown.js';
import * as fourth from './migrations/0004_statements.js';
import * as fifth from './migrations/0005_readers.js';
import { listOfCards } from './of-cards-repository.js';
import { CARD_PERMISSIONS, PERMISSIONS, VIEW } from './permissions.js';
import { decisions } from './reports/decisions.js';
import { cardRoutes, routes, type AdrServices } from './routes.js';
import { AdrService } from './service.js';
import { Settings } from './settings.js';
import { numberOf } from './text.js';

export default defineModule({
  id: 'adr',
  version: '0.1.0',
  title: 'Architecture decisions',
  description:
    'Architecture decision records: numbered, signed, linked to the cards they concern, in and out as Markdown.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  constraints: {
    adr_one_open: 'invalid_state',
    adr_one_signed: 'invalid_state',
    adr_revision: 'conflict',
    adr_source_file: 'conflict',
    adr_related_target: 'conflict',
  },
  migrations: {
    '0001_adr': first,
    '0002_life': second,
    '0003_markdown': third,
    '0004_statements': fourth,
    '0005_readers': fifth,
  },
  events: [EVENTS],
  notifications: [
    {
      kind: 'adr.signature_requested',
      title: 'Signatures',
      description: 'Your signature of an architecture decision is requested.',
      email: true,
    },
  ],
  services(host): AdrServices {
    const documents = lifecycle.service(host, (ctx, id) => adrs.resource(ctx, id));
    const adrs = new AdrService(host, (row) => documents.requireDraft(row));
    return {
      host,
      adrs,
      lifecycle: documents,
      imports: new AdrImportService(host),
      exports: new AdrExportService(host),
    };
  },
  provides: [
    provide(
      ADR_CREATE,
      ({ adrs }: AdrServices): AdrCreator => ({
        async create(ctx, adr) {
          const { id, number, version } = (await adrs.create(ctx, adr)).body;
          return { id, number, version };
        },
        prepare: (ctx, adr) => adrs.prepareCreate(ctx, adr),
      }),
    ),
    provide(ADR_OF_CARDS, ({ host }: AdrServices) => async (ctx, cardIds, limit) => {
      if (!ctx.permissions.has(VIEW)) return undefined;
      const rows = await listOfCards(host, ctx, cardIds, limit);
      return rows.map((row) => ({ ...row, number: numberOf(host, row.number) }));
    }),
  ],
  reports: [decisions],
  routes,
  cardRoutes: { segment: 'adrs', routes: cardRoutes },
  activate(module) {
    module.job('adr.stale_drafts', { handler: (job) => module.services.adrs.reportStale(job) });
    module.cron({ job: 'adr.stale_drafts', expression: '0 6 * * 1' });
  },
  openapi: { tags: [{ name: 'adr', description: 'Architecture decisions.' }] },
  enabledByDefault: true,
});
