export { MENTIONED_BY_ID } from './mentions.js';
export { CommentService } from './service.js';
