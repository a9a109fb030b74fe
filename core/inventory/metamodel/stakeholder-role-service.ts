import type { RequestContext } from '@lintel/sdk';
import { invalid, problem } from '../../foundation/errors.js';
import { mergePatch } from '../../foundation/merge-patch.js';
import type { CardTypeService, Written } from './card-type-service.js';
import { completeRole } from './definition.js';
import type { CardType } from './metamodel.js';
import type { RoleInput, RolePatch } from './schemas.js';
import type { StakeholderRole } from './types.js';

export interface RoleView {
  key: string;
  label: string;
  permissions: Record<string, boolean>;
  inherited: boolean;
  /** Version of the card type. */
  version: number;
}

const view = (type: CardType, { key, label, permissions, inherited }: StakeholderRole): RoleView => ({
  key,
  label,
  permissions,
  inherited: inherited === true,
  version: type.version,
});

/** The stakeholder roles of a card type. They are part of its definition, so changing one changes the type. */
export class StakeholderRoleService {
  constructor(private readonly types: CardTypeService) {}

  /** @throws not_found */
  list(typeKey: string): RoleView[] {
    const type = this.types.get(typeKey);
    return type.definition.stakeholder_roles.map((role) => view(type, role));
  }

  /** @throws not_found */
  get(typeKey: string, key: string): RoleView {
    const type = this.types.get(typeKey);
    return view(type, roleIn(type.definition.stakeholder_roles, key));
  }

  /** @throws 404, 409 `key_taken`, 422 */
  async create(ctx: RequestContext, typeKey: string, body: RoleInput): Promise<RoleView> {
    return this.roleAfter(
      typeKey,
      body.key,
      await this.amend(ctx, typeKey, (roles) => {
        if (roles.some((r) => r.key === body.key))
          throw problem('key_taken', { detail: `The card type has a stakeholder role ${body.key}.` });
        return [...roles, completeRole(body)];
      }),
    );
  }

  /** @throws 404, 412, 422 */
  async update(ctx: RequestContext, typeKey: string, key: string, patch: RolePatch): Promise<RoleView> {
    return this.roleAfter(
      typeKey,
      key,
      await this.amend(ctx, typeKey, (roles) => {
        const before = roleIn(roles, key);
        const role = completeRole({ ...(mergePatch(before, patch) as StakeholderRole), key });
        return roles.map((r) => (r === before ? role : r));
      }),
    );
  }

  /** Removes a role that no user holds. @throws 404, 412, 409 `in_use` */
  async remove(ctx: RequestContext, typeKey: string, key: string): Promise<void> {
    await this.amend(ctx, typeKey, (roles) => {
      const gone = roleIn(roles, key);
      return roles.filter((r) => r !== gone);
    });
  }

  private async amend(
    ctx: RequestContext,
    typeKey: string,
    make: (roles: readonly StakeholderRole[]) => StakeholderRole[],
  ): Promise<Written<CardType>> {
    return await this.types.amend(
      ctx,
      typeKey,
      (before) => {
        const roles = make(before.stakeholder_roles);
        if (roles.length > MAX_ROLES)
          throw invalid({
            field: '/key',
            reason: `is not possible: the card type already has ${MAX_ROLES} stakeholder roles`,
          });
        return { ...before, stakeholder_roles: roles };
      },
      ROLE_POINTER,
    );
  }

  /** The role after the change; for a repeated request, the current one. */
  private roleAfter(typeKey: string, key: string, { type }: Written<CardType>): RoleView {
    return type ? view(type, roleIn(type.definition.stakeholder_roles, key)) : this.get(typeKey, key);
  }
}

const MAX_ROLES = 100;
/** Matches the pointer to a role in the type's definition, which is removed for errors in the body of a role. */
const ROLE_POINTER = /^\/stakeholder_roles\/\d+/;

function roleIn(roles: readonly StakeholderRole[], key: string): StakeholderRole {
  const role = roles.find((r) => r.key === key);
  if (!role) throw problem('not_found');
  return role;
}
