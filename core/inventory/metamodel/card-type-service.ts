import type { PermissionSet, RequestContext } from '@lintel/sdk';
import { cardsHidden, hiddenTypes, seesCards, seesCosts, seesStakeholders } from '../access/index.js';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import { dropTypeRules, giverOf, type PermissionCatalogue } from '../../identity/rbac/index.js';
import { ensureCardCosts, ensureGrants } from './ceiling.js';
import type { MetamodelChange, MetamodelWriter } from './change.js';
import { newCardType, patchedCardType } from './definition.js';
import { differences } from './differences.js';
import { refuseFaults } from './field-rules.js';
import { CardType, Metamodel } from './metamodel.js';
import { breakingChangeOf } from './breaking-changes.js';
import { closeWrites, raiseFloor } from './repository.js';
import type { CardTypeCreate, CardTypePatch } from './schemas.js';
import { rescoredByType } from './rescoring.js';
import type { MetamodelService } from './service.js';
import { cardTypes, type Stamp } from './type-repository.js';
import { cardTypeFaults } from './type-rules.js';
import type { CardTypeDefinition, FieldDefinition, StakeholderRole } from './types.js';
import { countCardUses, countCards, readUsage } from './usage-repository.js';

const MAX_TYPES = 500;

/** The result of a write; the type is absent where a repeated request gets the stored result. */
export interface Written<T> {
  key: string;
  version: number;
  type?: T;
}

interface Usage {
  cards: number;
  active: number;
  archived: number;
  fields: { key: string; cards: number | null; options?: { key: string; cards: number }[] }[];
  subtypes: { key: string; cards: number }[];
  stakeholder_roles: { key: string; stakeholders: number }[];
}

/** The sort order after the last one, in steps of ten as in the default model. */
export const nextSortOrder = (types: Iterable<{ definition: { sort_order: number } }>): number =>
  Math.min(10 + Math.max(0, ...[...types].map((t) => t.definition.sort_order)), 1_000_000);

const subjectOf = ({ key, label }: CardTypeDefinition) => ({ kind: 'card_type' as const, id: key, name: label });
const made = (definition: CardTypeDefinition, { version, updated_at }: Stamp) =>
  new CardType(definition, version, updated_at.toISOString());

/** Card types, which administrators can change at run time. */
export class CardTypeService {
  /** @param commonRoles default stakeholder roles of a new card type */
  constructor(
    private readonly db: Database,
    private readonly writer: MetamodelWriter,
    private readonly metamodel: MetamodelService,
    private readonly permissions: PermissionCatalogue,
    private readonly commonRoles: readonly StakeholderRole[],
  ) {}

  /** @throws not_found */
  get(key: string): CardType {
    return typeIn(this.metamodel.current, key);
  }

  /**
   * @throws 422 with every error in the definition, 409 `key_taken`, 403 for roles that grant more than the caller may
   *   do
   */
  async create(ctx: RequestContext, body: CardTypeCreate): Promise<Written<CardType>> {
    let type: CardType | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const { metamodel, uow } = change;
      const definition = newCardType(body, nextSortOrder(metamodel.types.values()), this.commonRoles);
      this.check(definition, metamodel);
      if (metamodel.types.has(definition.key))
        throw problem('key_taken', { detail: `The card type ${definition.key} already exists.` });
      if (metamodel.types.size >= MAX_TYPES)
        throw problem('conflict', { detail: `There are already ${MAX_TYPES} card types, which is the maximum.` });
      // The default roles need no check: they are predefined, and no user holds them yet.
      if (body.stakeholder_roles) this.checkGrants(await giverOf(uow), metamodel, definition);
      type = made(definition, await cardTypes.insert(uow, definition));
      change.emit('created', subjectOf(definition), differences(undefined, definition));
      return { key: definition.key, version: type.version };
    });
    return { ...done, ...(type && { type }) };
  }

  /**
   * Changes a type by merge patch.
   * @throws 404, 412, 422 with every error, 409 `in_use` with counts, 403 for permissions that the caller does not
   *   have: those granted by stakeholder roles, and viewing costs where a cost field becomes another kind
   */
  update(ctx: RequestContext, key: string, patch: CardTypePatch): Promise<Written<CardType>> {
    return this.amend(ctx, key, (before) => patchedCardType(before, patch));
  }

  /**
   * Changes a type with `make`, which gets the stored type.
   * @param part matches the beginning of error pointers where the request concerns only a part of the type
   * @throws what `make` throws, and as `update`
   */
  async amend(
    ctx: RequestContext,
    key: string,
    make: (before: CardTypeDefinition) => CardTypeDefinition,
    part?: RegExp,
  ): Promise<Written<CardType>> {
    let type: CardType | undefined;
    const done = await this.writer.run(ctx, async (change) => {
      const stored = typeIn(change.metamodel, key);
      const before = stored.definition;
      // Checked before `make`, because a change based on another version may fail on this one.
      change.checkVersion(stored.version, () => changedFields(before, make));
      type = await this.apply(change, stored, make(before), part);
      return { key, version: type.version };
    });
    return { ...done, ...(type && { type }) };
  }

  /**
   * Deletes an unused type, including a built-in one, and the rules of roles for it. @throws 404, 412, 409 `in_use`
   * with counts, 403 for costs
   */
  async remove(ctx: RequestContext, key: string): Promise<void> {
    await this.writer.run(ctx, async (change) => {
      const { metamodel, uow } = change;
      const { definition, version } = typeIn(metamodel, key);
      change.checkVersion(version, () => []);
      await dropTypeRules(uow, key);
      ensureCardCosts(await giverOf(uow), definition, undefined);
      await cardTypes.lock(uow, key);
      const counts = {
        cards: await countCards(uow, key),
        relation_types: [...metamodel.relationTypes.values()].filter(
          ({ definition: r }) => r.source_type === key || r.target_type === key,
        ).length,
        child_types: [...metamodel.types.values()].filter(
          (t) => t.key !== key && t.definition.allowed_parent_types.includes(key),
        ).length,
        tag_groups: [...metamodel.tagGroups.values()].filter((g) => g.restrictToTypes.includes(key)).length,
      };
      if (Object.values(counts).some((n) => n > 0)) throw change.inUse(`The card type ${key} is in use.`, counts, key);
      await cardTypes.remove(uow, key);
      await raiseFloor(uow);
      change.emit('deleted', subjectOf(definition), []);
      return { key, version };
    });
  }

  /** Counts what the cards of a type use; costs only for callers who may see them. @throws not_found */
  async usage(ctx: RequestContext, key: string): Promise<Usage> {
    const { definition, fields } = this.get(key);
    if (!seesCards(ctx.permissions, key)) throw cardsHidden(key);
    const selects = fields.fields.filter((f) => f.options !== undefined);
    const used = await readUsage(
      this.db,
      key,
      selects.map((f) => f.key),
    );
    const options = new Map(used.options.map((o) => [`${o.field} ${o.option}`, o.n]));
    const hidesCards = hiddenTypes(ctx.permissions, this.metamodel.current.types.keys()).length > 0;
    const hidesCosts = !seesCosts(ctx.permissions, key);
    const isSeen = ({ kind }: FieldDefinition): boolean =>
      !(kind === 'cost' && hidesCosts) && !(kind === 'card_reference' && hidesCards);
    const { active, archived } = used.cards;
    return {
      cards: active + archived,
      active,
      archived,
      fields: fields.fields.map((f) => ({
        key: f.key,
        cards: isSeen(f) ? (used.fields[f.key] ?? 0) : null,
        ...(f.options && {
          options: f.options.map((o) => ({ key: o.key, cards: options.get(`${f.key} ${o.key}`) ?? 0 })),
        }),
      })),
      subtypes: definition.subtypes.map((s) => ({ key: s.key, cards: used.subtypes[s.key] ?? 0 })),
      stakeholder_roles: (seesStakeholders(ctx.permissions, key) ? definition.stakeholder_roles : []).map((r) => ({
        key: r.key,
        stakeholders: used.roles[r.key] ?? 0,
      })),
    };
  }

  /** Removes permissions from all stakeholder roles, in the unit of work that deletes the module which declared them. */
  async withdrawPermissions(uow: UnitOfWork, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.writer.within(uow, async (change) => {
      for (const { definition: before } of change.metamodel.types.values()) {
        const after = {
          ...before,
          stakeholder_roles: before.stakeholder_roles.map((role) => ({
            ...role,
            permissions: Object.fromEntries(Object.entries(role.permissions).filter(([key]) => !keys.includes(key))),
          })),
        };
        const changes = differences(before, after);
        if (changes.length === 0) continue;
        await cardTypes.update(uow, after);
        change.emit('updated', subjectOf(after), changes);
        uow.bump('sessions');
      }
    });
  }

  private async apply(
    change: MetamodelChange,
    stored: CardType,
    after: CardTypeDefinition,
    part?: RegExp,
  ): Promise<CardType> {
    const { uow, metamodel } = change;
    const { definition: before } = stored;
    this.check(after, metamodel, before, part);
    const changes = differences(before, after);
    if (changes.length === 0) return stored;
    const giver = await giverOf(uow);
    this.checkGrants(giver, metamodel, after);
    ensureCardCosts(giver, before, after);
    const gone = breakingChangeOf(before, after);
    if (gone) {
      await closeWrites(uow);
      const counts = await countCardUses(uow, before.key, gone);
      if (Object.keys(counts).length > 0)
        throw change.inUse(`Cards use what the change would remove from ${before.key}.`, counts, before.key);
    }
    const type = made(after, await cardTypes.update(uow, after));
    change.emit('updated', subjectOf(after), changes);
    change.rescore(rescoredByType(before, after));
    // Stakeholder roles grant permissions: sessions and open streams must load theirs again.
    if (changes.some((c) => c.field.startsWith('stakeholder_roles'))) uow.bump('sessions');
    return type;
  }

  private checkGrants(giver: PermissionSet, before: Metamodel, definition: CardTypeDefinition): void {
    const types = new Map([...before.types, [definition.key, new CardType(definition, 0, '')]]);
    ensureGrants(giver, this.permissions, { before, after: new Metamodel('', [...types.values()], []) });
  }

  private check(
    definition: CardTypeDefinition,
    metamodel: Metamodel,
    before?: CardTypeDefinition,
    part?: RegExp,
  ): void {
    const faults = cardTypeFaults(
      definition,
      { metamodel, grantable: (key) => this.permissions.hasOnCards(key) },
      before,
    );
    refuseFaults(part ? faults.map((f) => ({ ...f, field: f.field.replace(part, '') })) : faults);
  }
}

function typeIn(metamodel: Metamodel, key: string): CardType {
  const type = metamodel.types.get(key);
  if (!type) throw problem('not_found');
  return type;
}

/** The fields a change would have affected, for a 412; empty where it cannot be applied to the current type. */
function changedFields(before: CardTypeDefinition, make: (before: CardTypeDefinition) => CardTypeDefinition): string[] {
  try {
    return differences(before, make(before)).map((c) => c.field);
  } catch {
    return [];
  }
}
