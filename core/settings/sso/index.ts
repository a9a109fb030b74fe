export { SsoSettings } from './service.js';
export { default as ssoRoutes } from './routes.js';
