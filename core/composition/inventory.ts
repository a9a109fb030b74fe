import { commonRoles, defaultCardTypes, defaultRelationTypes } from '../../config/metamodel/index.js';
import { Reads } from '../foundation/db/replica.js';
import { Revisions } from '../foundation/db/revisions.js';
import { Transactions } from '../foundation/db/unit-of-work.js';
import { FileStore } from '../foundation/files/index.js';
import { JobRunner } from '../foundation/jobs/index.js';
import { PermissionCatalogue, RbacService } from '../identity/rbac/index.js';
import { UserService } from '../identity/users/index.js';
import { ActingUsers } from '../identity/tokens/index.js';
import { AccessGate, OnceCosts } from '../inventory/access/index.js';
import {
  AttributeIndexes,
  CardMaintenance,
  CardPermissions,
  RightsExplainer,
  CardReads,
  CardService,
  StakeholderService,
} from '../inventory/cards/index.js';
import { ExportService } from '../inventory/exports/index.js';
import { Extensions } from '../inventory/extensions.js';
import { HistoryService } from '../inventory/history/index.js';
import { GraphMemory, ImpactService } from '../inventory/impact/index.js';
import { InventorySource, PublishedSource } from '../inventory/source/index.js';
import {
  Applying,
  ImportFormats,
  ImportRetention,
  ImportService,
  RowVisibilities,
  Staging,
} from '../inventory/imports/index.js';
import { CommentService } from '../inventory/items/comments/index.js';
import { DocumentService } from '../inventory/items/documents/index.js';
import { CardTagService } from '../inventory/items/tags/index.js';
import { TodoService } from '../inventory/items/todos/index.js';
import {
  CardTypeService,
  MetamodelService,
  MetamodelWriter,
  RelationTypeService,
  StakeholderRoleService,
  TagGroupService,
} from '../inventory/metamodel/index.js';
import { RelationService } from '../inventory/relations/index.js';
import { EventLog } from '../messaging/events/index.js';
import { CardLimits, SettingsService } from '../settings/index.js';
import { currencyDigits } from '../foundation/currency.js';
import { CONFIG, DATABASE, LOG } from './tokens.js';
import type { Once } from './once.js';

/** Registers metamodel, cards, relations, and related services. */
export function registerInventory(once: Once): void {
  once(
    MetamodelService,
    (get) =>
      new MetamodelService(
        get(DATABASE),
        get(Transactions),
        get(Revisions),
        { cardTypes: defaultCardTypes, relationTypes: defaultRelationTypes },
        () => currencyDigits(get(SettingsService).current.currency),
      ),
  );
  once(AccessGate, (get) => new AccessGate(get(DATABASE), get(MetamodelService), get(RbacService)));
  once(OnceCosts, (get) => new OnceCosts(get(DATABASE), get(MetamodelService)));
  once(CardReads, (get) => new CardReads(get(DATABASE), get(MetamodelService)));
  once(
    GraphMemory,
    (get) => new GraphMemory(get(DATABASE), get(EventLog), get(LOG), { most: get(CONFIG).impactGraphMaxRelations }),
  );
  once(
    ImpactService,
    (get) => new ImpactService(get(DATABASE), get(MetamodelService), get(AccessGate), get(GraphMemory)),
  );
  once(
    InventorySource,
    (get) => new InventorySource(get(Reads), get(MetamodelService), get(AccessGate), get(RelationService)),
  );
  once(PublishedSource, (get) => new PublishedSource(get(Reads), get(MetamodelService), get(CONFIG).databasePoolMax));
  once(
    ExportService,
    (get) => new ExportService(get(Reads), get(MetamodelService), get(Extensions), get(CONFIG).databasePoolMax),
  );
  once(
    CardService,
    (get) =>
      new CardService(
        get(DATABASE),
        get(Transactions),
        get(MetamodelService),
        get(RbacService),
        get(CardReads),
        get(AccessGate),
        get(Extensions),
      ),
  );
  once(CardMaintenance, (get) => new CardMaintenance(get(Transactions), get(CardService)));
  once(
    AttributeIndexes,
    (get) => new AttributeIndexes(get(DATABASE), get(MetamodelService), get(Revisions), get(JobRunner), get(LOG)),
  );
  once(
    StakeholderService,
    (get) =>
      new StakeholderService(
        get(DATABASE),
        get(Transactions),
        get(MetamodelService),
        get(CardService),
        get(CardPermissions),
        get(AccessGate),
        get(PermissionCatalogue),
        get(CardLimits),
      ),
  );
  once(CardPermissions, (get) => new CardPermissions(get(AccessGate), get(RbacService)));
  once(
    RightsExplainer,
    (get) =>
      new RightsExplainer(
        get(DATABASE),
        get(MetamodelService),
        get(AccessGate),
        get(RbacService),
        get(PermissionCatalogue),
        get(UserService),
      ),
  );
  once(HistoryService, (get) => new HistoryService(get(DATABASE), get(AccessGate), get(OnceCosts)));
  once(
    CommentService,
    (get) => new CommentService(get(DATABASE), get(Transactions), get(CardPermissions), get(CardLimits)),
  );
  once(
    DocumentService,
    (get) => new DocumentService(get(DATABASE), get(Transactions), get(CardPermissions), get(CardLimits)),
  );
  once(
    TodoService,
    (get) => new TodoService(get(DATABASE), get(Transactions), get(CardPermissions), get(AccessGate), get(CardLimits)),
  );
  once(
    CardTagService,
    (get) =>
      new CardTagService(get(DATABASE), get(Transactions), get(CardPermissions), get(CardService), get(CardLimits)),
  );
  once(
    RelationService,
    (get) =>
      new RelationService(
        get(DATABASE),
        get(Transactions),
        get(MetamodelService),
        get(AccessGate),
        get(CardService),
        get(CardReads),
        get(Extensions),
      ),
  );
  once(MetamodelWriter, (get) => new MetamodelWriter(get(Transactions), get(JobRunner), get(MetamodelService)));
  once(
    CardTypeService,
    (get) =>
      new CardTypeService(
        get(DATABASE),
        get(MetamodelWriter),
        get(MetamodelService),
        get(PermissionCatalogue),
        commonRoles,
      ),
  );
  once(
    RelationTypeService,
    (get) => new RelationTypeService(get(MetamodelWriter), get(MetamodelService), get(PermissionCatalogue)),
  );
  once(StakeholderRoleService, (get) => new StakeholderRoleService(get(CardTypeService)));
  once(TagGroupService, (get) => new TagGroupService(get(MetamodelWriter), get(MetamodelService)));
  once(
    ImportService,
    (get) =>
      new ImportService(
        get(DATABASE),
        get(Transactions),
        get(FileStore),
        get(JobRunner),
        get(MetamodelService),
        new RowVisibilities(get(AccessGate), get(MetamodelService)),
      ),
  );
  once(
    Staging,
    (get) =>
      new Staging(
        get(DATABASE),
        get(Transactions),
        get(FileStore),
        get(MetamodelService),
        get(ActingUsers),
        get(CardService),
        get(RelationService),
        get(AccessGate),
        get(ImportFormats),
        get(LOG),
      ),
  );
  once(
    Applying,
    (get) => new Applying(get(DATABASE), get(Transactions), get(ActingUsers), get(CardService), get(RelationService)),
  );
  once(
    ImportRetention,
    (get) => new ImportRetention(get(Transactions), get(FileStore), get(CONFIG).importRetentionDays),
  );
  once(Extensions, () => new Extensions());
  once(ImportFormats, (get) => new ImportFormats(get(Extensions)));
}
