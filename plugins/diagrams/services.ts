import type { ModuleServices } from '@lintel/sdk';
import type { CardChanges } from './changes.js';
import type { ContentQueue } from './content/queue.js';
import type { DiagramDiffs } from './diff-service.js';
import type { DiagramFiles } from './file-service.js';
import type { DiagramGenerator } from './generating.js';
import type { groups } from './groups.js';
import type { DiagramImports } from './import-service.js';
import type { CardMatching } from './matching.js';
import type { RelationProposals } from './proposals.js';
import type { DiagramSaving } from './saving.js';
import type { DiagramService } from './service.js';
import type { Settings } from './settings.js';

/** What the routes of the module use. */
export interface DiagramsServices {
  host: ModuleServices<Settings>;
  queue: ContentQueue;
  groups: ReturnType<typeof groups.service>;
  diagrams: DiagramService;
  saving: DiagramSaving;
  files: DiagramFiles;
  imports: DiagramImports;
  diffs: DiagramDiffs;
  proposals: RelationProposals;
  matching: CardMatching;
  generator: DiagramGenerator;
  changes: CardChanges;
}
