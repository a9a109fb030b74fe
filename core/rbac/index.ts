export { PermissionCatalogue, type CataloguedCardPermission, type CataloguedPermission } from './catalogue.js';
export { RbacService } from './service.js';
export { NOWHERE, Reach, type Placed } from './reach.js';
export { RoleService } from './role-service.js';
export { RoleBook } from './role-book.js';
export { CORE_CARD_PERMISSIONS, CORE_PERMISSIONS, type CardPermissionDeclaration } from './core-permissions.js';
