import type { RequestContext } from '@lintel/sdk';
import { problem } from '../../foundation/errors.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { MetamodelChange, MetamodelWriter } from './change.js';
import { differences } from './differences.js';
import { refuseFaults } from './field-rules.js';
import type { Metamodel } from './metamodel.js';
import { rescoredByTagGroup } from './rescoring.js';
import type { MetamodelService } from './service.js';
import {
  countViolations,
  deleteGroup,
  deleteTag,
  insertGroup,
  insertTag,
  lockGroup,
  lockGroupUnused,
  lockTagUnused,
  updateGroup,
  updateTag,
  type TagStamp,
} from './tag-repository.js';
import type { TagCreate, TagGroupCreate, TagGroupPatch, TagGroupView, TagPatch } from './tag-schemas.js';
import type { Tag, TagGroup } from './types.js';

const MAX_GROUPS = 500;
const MAX_TAGS = 2_000;

/** The result of a write; the view is absent where a repeated request gets the stored result. */
interface Written<V> {
  id: string;
  version: number;
  view?: V;
}

const groupView = ({ restrictToTypes, createdAt, updatedAt, tags, ...group }: TagGroup): TagGroupView => ({
  ...group,
  restrict_to_types: [...restrictToTypes],
  tags: [...tags],
  created_at: createdAt,
  updated_at: updatedAt,
});

const stored = ({ version, created_at, updated_at }: TagStamp) => ({
  version,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
const groupStored = (stamp: TagStamp) => {
  const { version, created_at, updated_at } = stored(stamp);
  return { version, createdAt: created_at, updatedAt: updated_at };
};
/** The changeable values of a group or tag, with their names in events. */
const groupValues = ({ name, mode, mandatory, restrictToTypes }: TagGroup) => ({
  name,
  mode,
  mandatory,
  restrict_to_types: restrictToTypes,
});
const tagValues = ({ name, color, description }: Tag) => ({ name, color, description });

/** Tag groups and their tags. */
export class TagGroupService {
  constructor(
    private readonly writer: MetamodelWriter,
    private readonly metamodel: MetamodelService,
  ) {}

  list(): TagGroupView[] {
    return [...this.metamodel.current.tagGroups.values()].map(groupView);
  }

  /** @throws not_found */
  get(id: string): TagGroupView {
    return groupView(groupIn(this.metamodel.current, id));
  }

  /** @throws not_found */
  getTag(groupId: string, id: string): Tag {
    return tagIn(groupIn(this.metamodel.current, groupId), id);
  }

  /** @throws 409 `name_taken`, 422 */
  async create(ctx: RequestContext, body: TagGroupCreate): Promise<Written<TagGroupView>> {
    let view: TagGroupView | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const { uow, metamodel } = change;
      checkTypes(metamodel, body.restrict_to_types ?? []);
      if (metamodel.tagGroups.size >= MAX_GROUPS)
        throw problem('conflict', { detail: `There are already ${MAX_GROUPS} tag groups, which is the maximum.` });
      const values = {
        id: uuidv7(),
        name: body.name.trim(),
        mode: (body.mode ?? 'multi') as TagGroup['mode'],
        mandatory: body.mandatory ?? false,
        restrictToTypes: body.restrict_to_types ?? [],
      };
      const group: TagGroup = { ...values, tags: [], ...groupStored(await insertGroup(uow, values)) };
      change.emit(
        'created',
        { kind: 'tag_group', id: group.id, name: group.name },
        differences(undefined, groupValues(group)),
      );
      change.rescore(rescoredByTagGroup(undefined, group));
      view = groupView(group);
      return { id: group.id, version: group.version };
    });
    return { ...done, ...(view && { view }) };
  }

  /** @throws 404, 412, 422, 409 `name_taken`, or `in_use` where cards have tags that the group would no longer allow */
  async update(ctx: RequestContext, id: string, patch: TagGroupPatch): Promise<Written<TagGroupView>> {
    let view: TagGroupView | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const before = groupIn(change.metamodel, id);
      const after: TagGroup = {
        ...before,
        name: patch.name?.trim() ?? before.name,
        mode: (patch.mode ?? before.mode) as TagGroup['mode'],
        mandatory: patch.mandatory ?? before.mandatory,
        restrictToTypes: patch.restrict_to_types ?? before.restrictToTypes,
      };
      view = groupView(await this.apply(change, before, after));
      return { id, version: view.version };
    });
    return { ...done, ...(view && { view }) };
  }

  /** Deletes a group with its tags. @throws 404, 412, 409 `in_use` where a card has one of them */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.writer.run(ctx, async (change) => {
      const group = groupIn(change.metamodel, id);
      change.checkVersion(group.version, () => []);
      const cards = await lockGroupUnused(change.uow, id);
      if (cards > 0) throw change.inUse(`Cards have tags of ${group.name}.`, { cards });
      await deleteGroup(change.uow, id);
      change.emit('deleted', { kind: 'tag_group', id, name: group.name }, []);
      change.rescore(rescoredByTagGroup(group, undefined));
      return { id, version: group.version };
    });
  }

  /** @throws 404, 409 `name_taken` */
  async createTag(ctx: RequestContext, groupId: string, body: TagCreate): Promise<Written<Tag>> {
    let view: Tag | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const group = groupIn(change.metamodel, groupId);
      if (group.tags.length >= MAX_TAGS)
        throw problem('conflict', { detail: `The group already has ${MAX_TAGS} tags, which is the maximum.` });
      const values = {
        id: uuidv7(),
        name: body.name.trim(),
        color: body.color ?? null,
        description: body.description ?? null,
      };
      view = { ...values, ...stored(await insertTag(change.uow, groupId, values)) };
      change.emit(
        'created',
        { kind: 'tag', id: view.id, name: view.name },
        differences(undefined, { ...tagValues(view), group_id: groupId }),
      );
      return { id: view.id, version: view.version };
    });
    return { ...done, ...(view && { view }) };
  }

  /** @throws 404, 412, 409 `name_taken` */
  async updateTag(ctx: RequestContext, groupId: string, id: string, patch: TagPatch): Promise<Written<Tag>> {
    let view: Tag | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const before = tagIn(groupIn(change.metamodel, groupId), id);
      const after: Tag = {
        ...before,
        name: patch.name?.trim() ?? before.name,
        color: patch.color === undefined ? before.color : patch.color,
        description: patch.description === undefined ? before.description : patch.description,
      };
      const changes = differences(tagValues(before), tagValues(after));
      change.checkVersion(before.version, () => changes.map((c) => c.field));
      view = changes.length === 0 ? before : { ...after, ...stored(await updateTag(change.uow, after)) };
      if (changes.length > 0) change.emit('updated', { kind: 'tag', id, name: after.name }, changes);
      return { id, version: view.version };
    });
    return { ...done, ...(view && { view }) };
  }

  /** @throws 404, 412, 409 `in_use` where a card has it */
  async removeTag(ctx: RequestContext, groupId: string, id: string): Promise<void> {
    await this.writer.run(ctx, async (change) => {
      const tag = tagIn(groupIn(change.metamodel, groupId), id);
      change.checkVersion(tag.version, () => []);
      const cards = await lockTagUnused(change.uow, id);
      if (cards > 0) throw change.inUse(`Cards have the tag ${tag.name}.`, { cards });
      await deleteTag(change.uow, id);
      change.emit('deleted', { kind: 'tag', id, name: tag.name }, []);
      return { id, version: tag.version };
    });
  }

  private async apply(change: MetamodelChange, before: TagGroup, after: TagGroup): Promise<TagGroup> {
    const { uow, metamodel } = change;
    const changes = differences(groupValues(before), groupValues(after));
    change.checkVersion(before.version, () => changes.map((c) => c.field));
    checkTypes(metamodel, after.restrictToTypes);
    if (changes.length === 0) return before;
    await lockGroup(uow, after.id);
    const counts = Object.entries(
      await countViolations(uow, after.id, after.mode === 'single', after.restrictToTypes),
    ).filter(([, n]) => n > 0);
    if (counts.length > 0)
      throw change.inUse(
        `Cards have tags of ${before.name} in a way the change would not allow.`,
        Object.fromEntries(counts),
      );
    const group = { ...after, ...groupStored(await updateGroup(uow, after)) };
    change.emit('updated', { kind: 'tag_group', id: group.id, name: group.name }, changes);
    change.rescore(rescoredByTagGroup(before, group));
    return group;
  }
}

function groupIn(metamodel: Metamodel, id: string): TagGroup {
  const group = metamodel.tagGroups.get(id);
  if (!group) throw problem('not_found');
  return group;
}

function tagIn(group: TagGroup, id: string): Tag {
  const tag = group.tags.find((t) => t.id === id);
  if (!tag) throw problem('not_found');
  return tag;
}

function checkTypes(metamodel: Metamodel, types: readonly string[]): void {
  const faults = types.flatMap((key, i) => {
    const reason = !metamodel.types.has(key)
      ? 'names no card type'
      : types.indexOf(key) < i
        ? 'is repeated'
        : undefined;
    return reason === undefined ? [] : [{ field: `/restrict_to_types/${i}`, reason }];
  });
  refuseFaults(faults);
}
