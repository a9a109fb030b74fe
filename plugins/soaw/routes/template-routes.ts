import { Nullable, Page, PageQuery, SortBy, Strict, Type, Uuid, type ModuleRoutes } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import { sectionsOfTemplate } from '../sections/known.js';
import { Section } from '../sections/schema.js';
import { TOGAF } from '../sections/togaf.js';
import type { Settings } from '../settings.js';
import { templates } from '../templates/resource.js';
import { findTemplates } from '../templates/service.js';
import { withSections } from './document-routes.js';

const BuiltIn = Type.Object({
  key: Type.String(),
  name: Type.String(),
  description: Type.String(),
  sections: Type.Array(Section),
});

const TemplateItem = Type.Object(
  {
    key: Type.String({ description: 'Of a built-in template its key, otherwise its id.', examples: [TOGAF.key] }),
    id: Nullable(
      Uuid({
        description: 'The `template_id` of documents that begin with it; null for the built-in one, which needs none.',
      }),
    ),
    is_built_in: Type.Boolean(),
    name: Type.String(),
    description: Nullable(Type.String()),
    sections: Type.Array(Type.Object({ key: Type.String(), title: Type.String() })),
  },
  { 'x-name': 'SoawTemplateSummary' },
);
const TemplatePage = Page(TemplateItem);
const TemplateQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('name'),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Words in the name or the description.' })),
  is_built_in: Type.Optional(Type.Boolean()),
});

/** The template of the platform, and those of the workspace. */
export const templateRoutes: ModuleRoutes<ReturnType<typeof templates.service>, Settings> = async (
  app,
  { services, host },
) => {
  app.get(
    '',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'listAllSoawTemplates',
        summary: 'Built-in templates and those of the workspace',
        tags: ['soaw'],
        querystring: TemplateQuery,
        response: { 200: TemplatePage },
      },
    },
    async (request, reply) => {
      const { search, is_built_in, ...params } = request.query;
      const found = await findTemplates(host, { search, is_built_in });
      const list = JSON.stringify(['soaw-templates', search ?? '', is_built_in ?? null]);
      return host.http.sendPage(request, reply, host.http.pageOf(found, 'key', 'name', params, list));
    },
  );
  app.get(
    '/built-in',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getBuiltInSoawTemplate',
        summary: 'The template of TOGAF',
        description: 'With its sections a document begins that names no template of the workspace.',
        tags: ['soaw'],
        response: {
          200: Type.Object(BuiltIn.properties, {
            'x-name': 'SoawBuiltInTemplate',
            examples: [{ ...TOGAF, sections: [TOGAF.sections[0]] }],
          }),
        },
      },
    },
    async () => ({ ...TOGAF, sections: [...TOGAF.sections] }),
  );
  await app.register(withSections(templates.routes as never, sectionsOfTemplate), { services, host, prefix: '/own' });
};
