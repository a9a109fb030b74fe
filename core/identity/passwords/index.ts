export { LoginAttempts, type Source } from './login-attempts.js';
export { cleanAttempts, findAccountById, markLogin, type Account } from './login-attempts-repository.js';
export { PasswordHasher } from './password-hasher.js';
