export { WebhookDeliveries } from './delivery-service.js';
export { WebhookDispatch } from './dispatch.js';
export { WebhookFanOut } from './fan-out.js';
export { registerWebhookJobs } from './jobs.js';
export { releaseWebhooksOf } from './owner.js';
export { Rendering as WebhookRendering } from './rendering.js';
export { WebhookSender } from './sender.js';
export { WebhookService } from './service.js';
