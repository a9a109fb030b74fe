import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { AuthService } from '../identity/auth/index.js';
import type { AiSettings } from './ai-service.js';
import type { LogoService } from './logo-service.js';
import type { SettingsService } from './service.js';
import type { SmtpSettings } from './smtp-service.js';
import { sendResource, type Resource } from '../foundation/http/respond.js';
import aiRoutes from './ai-routes.js';
import aiUsageRoutes from './ai-usage-routes.js';
import logoRoutes from './logo-routes.js';
import smtpRoutes from './smtp-routes.js';
import { ssoRoutes, type SsoSettings } from './sso/index.js';
import { PUBLIC_KEYS, SettingsPatch, SettingsView, type GeneralSettings } from './schemas.js';

const tags = ['settings'];
/** The settings that a login page needs. */
const publicOf = (all: GeneralSettings) =>
  Object.fromEntries(PUBLIC_KEYS.map((key) => [key, all[key]])) as Pick<GeneralSettings, (typeof PUBLIC_KEYS)[number]>;

export default (async (app, { services }) => {
  const { auth, settings } = services;
  await app.register(logoRoutes, { prefix: '/logo', services });
  await app.register(smtpRoutes, { prefix: '/smtp', services });
  await app.register(ssoRoutes, { prefix: '/sso', services });
  await app.register(aiRoutes, { prefix: '/ai', services });
  await app.register(aiUsageRoutes, { prefix: '/ai', services });

  /** All settings for users who may manage them; for all other callers those a login page needs. */
  async function view(request: FastifyRequest): Promise<Resource<SettingsView>> {
    const all = await settings.read();
    const identity = request.identity ?? (await auth.identify(request));
    if (identity?.permissions.has('settings.manage')) return { version: all.version, body: all };
    return {
      version: all.version,
      derived: 'public',
      body: { ...publicOf(all), version: all.version },
    };
  }

  app.get(
    '',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getSettings',
        summary: 'General settings',
        description: 'Without `settings.manage` only the settings that a login page needs.',
        tags,
        response: { 200: SettingsView },
      },
    },
    async (request, reply) => sendResource(request, reply, await view(request)),
  );

  app.patch(
    '',
    {
      config: { access: { permission: 'settings.manage' }, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateSettings',
        summary: 'Change general settings',
        tags,
        body: SettingsPatch,
        response: { 200: SettingsView },
      },
    },
    async (request, reply) => {
      await settings.update(request.ctx, request.body);
      return sendResource(request, reply, await view(request));
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{
  services: {
    auth: AuthService;
    settings: SettingsService;
    logo: LogoService;
    smtp: SmtpSettings;
    ssoSettings: SsoSettings;
    ai: AiSettings;
  };
}>;
