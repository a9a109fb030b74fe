export { PublishedSource } from './published.js';
export { INVENTORY_FILTERS, InventorySource } from './service.js';
