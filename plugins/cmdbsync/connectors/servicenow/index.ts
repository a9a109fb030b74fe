import { OneOf, Strict, Type, type ConnectorDeclaration } from '@lintel/sdk';
import { ServiceNow } from './connector.js';

/** The Table API of ServiceNow. */
export const servicenow: ConnectorDeclaration<unknown> = {
  key: 'servicenow',
  title: 'ServiceNow',
  description: 'The Table API of ServiceNow, with a user or an OAuth client.',
  config: Strict({
    url: Type.String({
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      maxLength: 500,
      description: 'Address of the instance, such as https://example.service-now.com.',
    }),
    authentication: OneOf(['basic', 'client_credentials', 'refresh_token'], {
      default: 'basic',
      description:
        'basic: user_name and password; client_credentials: client_id and client_secret; refresh_token: these and a refresh token.',
    }),
    user_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Of basic: the user.' })),
    client_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Of OAuth: the id of the client.' }),
    ),
    correlation_field: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,79}$',
      default: 'correlation_id',
      description: 'The field by which a record that was created here is found again; nothing else may write it.',
    }),
    allow_hidden_records: Type.Boolean({
      default: false,
      description:
        'Whether records that access rules hide from the account count as absent. Otherwise a run with such records fails.',
    }),
  }),
  secrets: {
    password: { description: 'Of basic: the password of the user.' },
    client_secret: { description: 'Of OAuth: the secret of the client.' },
    refresh_token: { description: 'Of refresh_token: the token; one that replaces it is stored.' },
  },
  open: (_services, connection) => new ServiceNow(connection),
};
