export { ExportService } from './service.js';
