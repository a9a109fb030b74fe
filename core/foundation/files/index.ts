export { FileStore, type StoredFile } from './store.js';
