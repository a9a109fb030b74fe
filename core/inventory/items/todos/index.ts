export { TodoService, unassignTodosOf } from './service.js';
