import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../../foundation/db/database.js';
import { invalid, problem } from '../../../foundation/errors.js';
import { CARD_KEYLESS, PER_TYPE, type PermissionCatalogue, type RbacService } from '../../../identity/rbac/index.js';
import type { UserService } from '../../../identity/users/index.js';
import { CARDS, seesCards, seesStakeholders, type AccessGate } from '../../access/index.js';
import type { MetamodelService } from '../../metamodel/index.js';
import { countStakes, readRolesHeld } from './permissions-repository.js';
import { Reasons, type Subject, type Verdict } from './reasons.js';
import type { EffectiveRight, ExplainQuery, Explanation } from './rights-schemas.js';

/** A right with the key by which it is paged. */
export type KeyedRight = EffectiveRight & { id: string };

/** Explains by which rule a user has a permission or not, without telling of cards that are hidden from the reader. */
export class RightsExplainer {
  private readonly reasons: Reasons;

  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
    private readonly access: AccessGate,
    private readonly rbac: RbacService,
    private readonly catalogue: PermissionCatalogue,
    private readonly users: UserService,
  ) {
    this.reasons = new Reasons(rbac, catalogue);
  }

  /** Every permission of the caller on a card. @throws not_found */
  async onCard({ actor, permissions }: RequestContext, id: string): Promise<Record<string, Verdict>> {
    const held = actor && (await readRolesHeld(this.db, id, actor.id));
    if (!held || !seesCards(permissions, held.type)) throw problem('not_found');
    const subject: Subject = { role: actor.role, permissions, token: actor.token };
    return Object.fromEntries([
      ...CARD_KEYLESS.map((permission) => [permission, this.reasons.ofRole(subject, permission, held.type)]),
      ...this.catalogue
        .listOnCards()
        .map(({ key }) => [key, this.reasons.onCard(subject, key, held.type, { permissions }, held.roles)]),
    ]) as Record<string, Verdict>;
  }

  /**
   * Whether a user has a permission: anywhere, for a card type, or on a card.
   * @throws 404 for an unknown user, and a card that is unknown or hidden from the caller; 422; 403 where the caller may
   *   not see the stakeholders of the card
   */
  async explain(ctx: RequestContext, query: ExplainQuery): Promise<Explanation> {
    const { user_id, permission, card_id } = query;
    const isOfCards = this.catalogue.hasOnCards(permission);
    if (!isOfCards && !this.catalogue.has(permission)) throw refusal('permission', 'is no permission of the catalogue');
    if (isOfCards && card_id === undefined) throw refusal('card_id', 'is required for a permission on cards');
    if (card_id !== undefined && query.card_type !== undefined)
      throw refusal('card_type', 'cannot be combined with card_id');
    const user = await this.users.get(user_id);
    const card_type =
      card_id === undefined ? this.visibleType(ctx, query.card_type) : (await this.access.card(ctx, card_id)).type;
    const answer = { user_id, permission, card_id: card_id ?? null, card_type: card_type ?? null };
    if (!user.is_active) return { ...answer, allowed: false, because: 'the account is deactivated', by: 'account' };
    const subject: Subject = { role: user.role, permissions: this.rbac.permissionsOf(user.role) };
    if (card_type === undefined) return { ...answer, ...this.reasons.ofRole(subject, permission) };
    const sees = this.reasons.ofRole(subject, CARDS, card_type);
    if (!sees.allowed && (isOfCards || PER_TYPE.has(permission)))
      return { ...answer, ...sees, because: `${sees.because}, so that these cards do not exist for the user` };
    if (card_id === undefined) return { ...answer, ...this.reasons.ofRole(subject, permission, card_type) };
    const key = isOfCards
      ? permission
      : this.catalogue.listOnCards().find((c) => this.catalogue.applicationOf(c.key) === permission)?.key;
    if (key === undefined) return { ...answer, ...this.reasons.ofRole(subject, permission, card_type) };
    if (user_id !== ctx.actor?.id) this.access.requireStakeholders(ctx, card_type);
    const held = await readRolesHeld(this.db, card_id, user_id);
    return { ...answer, ...this.reasons.onCard(subject, key, card_type, ctx, held?.roles ?? []) };
  }

  /**
   * All permissions that a user has, by role and by stakeholder roles; none for a deactivated account. Card types and
   * stakeholder roles that are hidden from the caller are left out.
   * @throws not_found
   */
  async effective(ctx: RequestContext, userId: string): Promise<KeyedRight[]> {
    const user = await this.users.get(userId);
    if (!user.is_active) return [];
    const permissions = this.rbac.permissionsOf(user.role);
    const subject: Subject = { role: user.role, permissions };
    const types = [...this.metamodel.current.types.keys()];
    const visible = types.filter((type) => seesCards(ctx.permissions, type));
    const byRole = this.catalogue.list().flatMap(({ key: permission }): KeyedRight[] => {
      const held = PER_TYPE.has(permission) ? types.filter((type) => permissions.has(permission, type)) : [];
      const isGeneral = permissions.has(permission);
      if (!isGeneral && held.length === 0) return [];
      const isEverywhere = isGeneral && (!PER_TYPE.has(permission) || held.length === types.length);
      const card_types = isEverywhere ? null : held.filter((type) => visible.includes(type));
      if (!isGeneral && card_types?.length === 0) return [];
      const { because } = this.reasons.ofRole(subject, permission, isGeneral ? undefined : card_types?.[0]);
      return [
        { id: permission, permission, scope: 'application', card_types, stakeholder_role: null, cards: null, because },
      ];
    });
    const shown = (type: string): boolean =>
      visible.includes(type) && seesCards(permissions, type) && seesStakeholders(ctx.permissions, type);
    const byStake = (await countStakes(this.db, userId))
      .filter(({ type }) => shown(type))
      .flatMap(({ type, role, cards }) =>
        [...this.rbac.grantedBy(type, [role])]
          .filter((key) => this.catalogue.hasOnCards(key))
          .map(
            (permission): KeyedRight => ({
              id: `${permission} ${type} ${role}`,
              permission,
              scope: 'card',
              card_types: [type],
              stakeholder_role: role,
              cards,
              because: `stakeholder role ${role} on ${cards} ${cards === 1 ? 'card' : 'cards'} of the type ${type} grants ${permission}`,
            }),
          ),
      );
    return [...byRole, ...byStake];
  }

  /** @throws 422 for a type that does not exist or is hidden from the caller */
  private visibleType(ctx: RequestContext, type: string | undefined): string | undefined {
    if (type === undefined) return undefined;
    if (!this.metamodel.current.types.has(type) || !seesCards(ctx.permissions, type))
      throw refusal('card_type', 'names no card type');
    return type;
  }
}

const refusal = (field: string, reason: string) => invalid({ field, reason, in: 'query' });
