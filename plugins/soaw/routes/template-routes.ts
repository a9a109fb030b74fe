import { Type, type ModuleRoutes } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import { sectionsOfTemplate } from '../sections/known.js';
import { Section } from '../sections/schema.js';
import { TOGAF } from '../sections/togaf.js';
import type { Settings } from '../settings.js';
import { templates } from '../templates/resource.js';
import { withSections } from './document-routes.js';

const BuiltIn = Type.Object({
  key: Type.String(),
  name: Type.String(),
  description: Type.String(),
  sections: Type.Array(Section),
});

/** The template of the platform, and those of the workspace. */
export const templateRoutes: ModuleRoutes<ReturnType<typeof templates.service>, Settings> = async (
  app,
  { services, host },
) => {
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
