export { CommentService } from './service.js';
