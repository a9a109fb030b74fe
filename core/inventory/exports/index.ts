export { ExportService } from './service.js';
export { EXPORTED_CARD, exportedCard } from './rows-repository.js';
