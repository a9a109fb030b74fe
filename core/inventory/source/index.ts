export { INVENTORY_FILTERS, InventorySource } from './service.js';
