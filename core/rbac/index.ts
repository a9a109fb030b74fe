export { PermissionCatalogue, type CataloguedPermission } from './catalogue.js';
export { RbacService } from './service.js';
export { CORE_CARD_PERMISSIONS, CORE_PERMISSIONS } from './core-permissions.js';
