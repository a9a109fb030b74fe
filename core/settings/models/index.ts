export { LanguageModel } from './language-model.js';
export { cleanCalls } from './call-repository.js';
