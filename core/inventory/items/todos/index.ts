export { unassignTodosOf } from './departures.js';
export { TodoService } from './service.js';
