export { leaveTodos } from './departures.js';
export { TodoService } from './service.js';
