export { TodoService } from './service.js';
