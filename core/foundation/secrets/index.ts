export { Secrets } from './secrets.js';
