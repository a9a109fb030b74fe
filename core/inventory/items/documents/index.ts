export { DocumentService } from './service.js';
