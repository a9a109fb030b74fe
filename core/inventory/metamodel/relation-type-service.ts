import type { RequestContext } from '@lintel/sdk';
import { problem } from '../../foundation/errors.js';
import { giverOf, type PermissionCatalogue } from '../../identity/rbac/index.js';
import { ensureRelationCosts } from './ceiling.js';
import { nextSortOrder, type Written } from './card-type-service.js';
import type { MetamodelChange, MetamodelWriter } from './change.js';
import { newRelationType, patchedRelationType } from './definition.js';
import { differences } from './differences.js';
import { refuseFaults } from './field-rules.js';
import { RelationType, type Metamodel } from './metamodel.js';
import { relationBreakingChangeOf } from './breaking-changes.js';
import { closeWrites, raiseFloor } from './repository.js';
import type { RelationTypeCreate, RelationTypePatch } from './schemas.js';
import { rescoredByRelationType } from './rescoring.js';
import type { MetamodelService } from './service.js';
import { relationTypes, type Stamp } from './type-repository.js';
import { relationTypeFaults } from './type-rules.js';
import type { RelationTypeDefinition } from './types.js';
import { countRelations, countRelationUses } from './usage-repository.js';

const MAX_TYPES = 2_000;

const subjectOf = ({ key, label }: RelationTypeDefinition) => ({
  kind: 'relation_type' as const,
  id: key,
  name: label,
});
const made = (definition: RelationTypeDefinition, { version, updated_at }: Stamp) =>
  new RelationType(definition, version, updated_at.toISOString());

/** Relation types, which administrators can change at run time. */
export class RelationTypeService {
  constructor(
    private readonly writer: MetamodelWriter,
    private readonly metamodel: MetamodelService,
    private readonly permissions: PermissionCatalogue,
  ) {}

  /** @throws not_found */
  get(key: string): RelationType {
    return typeIn(this.metamodel.current, key);
  }

  /** @throws 422 with every error in the definition, 409 `key_taken` */
  async create(ctx: RequestContext, body: RelationTypeCreate): Promise<Written<RelationType>> {
    let type: RelationType | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const { metamodel, uow } = change;
      const definition = newRelationType(body, nextSortOrder(metamodel.relationTypes.values()));
      this.check(definition, metamodel);
      if (metamodel.relationTypes.has(definition.key))
        throw problem('key_taken', { detail: `The relation type ${definition.key} already exists.` });
      if (metamodel.relationTypes.size >= MAX_TYPES)
        throw problem('conflict', {
          detail: `There are already ${MAX_TYPES} relation types, which is the maximum.`,
        });
      type = made(definition, await relationTypes.insert(uow, definition));
      change.emit('created', subjectOf(definition), differences(undefined, definition));
      change.rescore(rescoredByRelationType(undefined, definition));
      return { key: definition.key, version: type.version };
    });
    return { ...done, ...(type && { type }) };
  }

  /**
   * Changes a type by merge patch. @throws 404, 412, 422 with every error, 409 `in_use` with counts, 403 where a cost
   * field becomes another kind and the caller may not see costs
   */
  async update(ctx: RequestContext, key: string, patch: RelationTypePatch): Promise<Written<RelationType>> {
    let type: RelationType | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const stored = typeIn(change.metamodel, key);
      const after = patchedRelationType(stored.definition, patch);
      change.checkVersion(stored.version, () => differences(stored.definition, after).map((c) => c.field));
      type = await this.apply(change, stored, after);
      return { key, version: type.version };
    });
    return { ...done, ...(type && { type }) };
  }

  /** Deletes a type without relations, including a built-in one. @throws 404, 412, 409 `in_use` with counts */
  async remove(ctx: RequestContext, key: string): Promise<void> {
    await this.writer.run(ctx, async (change) => {
      const { uow } = change;
      const { definition, version } = typeIn(change.metamodel, key);
      change.checkVersion(version, () => []);
      ensureRelationCosts(await giverOf(uow), definition, undefined, change.metamodel.types.keys());
      await relationTypes.lock(uow, key);
      const relations = await countRelations(uow, key);
      if (relations > 0) throw change.inUse(`The relation type ${key} is in use.`, { relations });
      await relationTypes.remove(uow, key);
      await raiseFloor(uow);
      change.emit('deleted', subjectOf(definition), []);
      change.rescore(rescoredByRelationType(definition, undefined));
      return { key, version };
    });
  }

  private async apply(
    change: MetamodelChange,
    stored: RelationType,
    after: RelationTypeDefinition,
  ): Promise<RelationType> {
    const { uow, metamodel } = change;
    const { definition: before, key } = stored;
    this.check(after, metamodel, before);
    const changes = differences(before, after);
    if (changes.length === 0) return stored;
    ensureRelationCosts(await giverOf(uow), before, after, metamodel.types.keys());
    const gone = relationBreakingChangeOf(before, after);
    if (gone) {
      // The row is locked first, in the same order as when a relation is written, to avoid deadlocks.
      await relationTypes.lock(uow, key);
      await closeWrites(uow);
      const counts = await countRelationUses(uow, key, gone);
      if (Object.keys(counts).length > 0)
        throw change.inUse(`Relations use what the change would remove from ${key}.`, counts);
    }
    const type = made(after, await relationTypes.update(uow, after));
    change.emit('updated', subjectOf(after), changes);
    change.rescore(rescoredByRelationType(before, after));
    return type;
  }

  private check(definition: RelationTypeDefinition, metamodel: Metamodel, before?: RelationTypeDefinition): void {
    const faults = relationTypeFaults(
      definition,
      { metamodel, grantable: (key) => this.permissions.hasOnCards(key) },
      before,
    );
    refuseFaults(faults);
  }
}

function typeIn(metamodel: Metamodel, key: string): RelationType {
  const type = metamodel.relationTypes.get(key);
  if (!type) throw problem('not_found');
  return type;
}
