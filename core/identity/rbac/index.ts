export {
  PermissionCatalogue,
  type CataloguedCardPermission,
  type CataloguedPermission,
} from './catalogue.js';
export { RbacService, type CardHolder } from './service.js';
export { accountPermissions, mayUseOnCards, TokenPermissions, TokenRights } from './token-permissions.js';
export { NO_CARDS, CardScope, type Placed } from './card-scope.js';
export { RoleService } from './role-service.js';
export { ensureMayGive, giverOf, RoleGrantPolicy, storedPermissions, tokenGives } from './role-grant-policy.js';
export { missingGrant, ungiven, type Grant } from './card-ceiling.js';
export { lockStakesOn } from './repository.js';
export { dropTypeRules } from './type-rules.js';
export {
  ADMIN,
  APPLICATION,
  CARD_KEYLESS,
  CORE_CARD_PERMISSIONS,
  CORE_PERMISSIONS,
  PER_TYPE,
  type CardPermissionDeclaration,
} from './core-permissions.js';
