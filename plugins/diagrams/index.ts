import { defineModule, type ModuleServices } from '@lintel/sdk';
import { CARD_EVENTS, CardChanges, TELL } from './changes.js';
import { ContentQueue } from './content/queue.js';
import { ContentService } from './content-service.js';
import { DiagramDiffs } from './diff-service.js';
import { ERRORS } from './errors.js';
import { EVENTS } from './events.js';
import { DiagramFiles } from './file-service.js';
import { DiagramGenerator } from './generating.js';
import { groups } from './groups.js';
import { DiagramImports } from './import-service.js';
import { CardMatching } from './matching.js';
import * as diagrams from './migrations/0001_diagrams.js';
import * as held from './migrations/0002_held.js';
import { CARD_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { RelationProposals } from './proposals.js';
import { cardRoutes, routes } from './routes/index.js';
import { DiagramSaving } from './saving.js';
import { DiagramService } from './service.js';
import type { DiagramsServices } from './services.js';
import { Settings } from './settings.js';

export default defineModule({
  id: 'diagrams',
  version: '0.1.0',
  title: 'Diagrams',
  description: 'draw.io diagrams whose shapes are cards: with versions, drawn on the server, and generated.',
  host: '^0.1.0',
  permissions: PERMISSIONS,
  cardPermissions: CARD_PERMISSIONS,
  settings: Settings,
  errors: ERRORS,
  constraints: {
    diagrams_group_parent: 'diagrams_group_in_use',
    diagrams_group_names: 'diagrams_group_name_taken',
    diagrams_in_group: 'diagrams_group_in_use',
    diagrams_shown_card: 'conflict',
  },
  migrations: { '0001_diagrams': diagrams, '0002_held': held },
  events: EVENTS,
  services(host: ModuleServices<Settings>): DiagramsServices {
    const queue = new ContentQueue(host);
    const contents = new ContentService(host, queue);
    const service = new DiagramService(host, contents);
    const saving = new DiagramSaving(host, contents);
    return {
      host,
      queue,
      groups: groups.service(host as unknown as ModuleServices),
      diagrams: service,
      saving,
      files: new DiagramFiles(host, contents, queue),
      imports: new DiagramImports(contents, service),
      diffs: new DiagramDiffs(host),
      proposals: new RelationProposals(host),
      matching: new CardMatching(host, queue, contents, saving),
      generator: new DiagramGenerator(host, queue, contents, service),
      changes: new CardChanges(host),
    };
  },
  routes,
  cardRoutes: { segment: 'diagrams', routes: cardRoutes },
  cardsDeleted: ({ changes }, uow, cards) => changes.deleted(uow, cards),
  activate(module) {
    const { changes, queue } = module.services;
    module.use(() => queue.close());
    module.job(TELL, { handler: (job) => changes.tell(job) });
    module.subscribe({
      name: 'cards',
      pattern: CARD_EVENTS,
      handler: (event, { ctx }) => changes.note(event, ctx),
    });
  },
  openapi: { tags: [{ name: 'diagrams', description: 'draw.io diagrams whose shapes are cards.' }] },
  enabledByDefault: true,
});
