export { CardTagService } from './service.js';
