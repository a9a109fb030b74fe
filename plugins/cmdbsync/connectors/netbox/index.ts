import { Strict, Type, type ConnectorDeclaration } from '@lintel/sdk';
import { NetBox } from './connector.js';

/** The REST API of NetBox 3 and 4. */
export const netbox: ConnectorDeclaration<unknown> = {
  key: 'netbox',
  title: 'NetBox',
  description: 'The REST API of NetBox 3 and 4, with a token.',
  config: Strict({
    url: Type.String({
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      maxLength: 500,
      description: 'Address of NetBox, such as https://netbox.example.org.',
    }),
  }),
  secrets: {
    token: { description: 'API token of a user who may read the objects that are mapped.', isRequired: true },
  },
  open: (_services, connection) => new NetBox(connection),
};
