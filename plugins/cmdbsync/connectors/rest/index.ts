import type { ConnectorDeclaration } from '@lintel/sdk';
import { openRest } from './connector.js';
import { RestSettings } from './settings.js';

/** Lists of JSON objects over HTTP, whose paths and paging are settings. */
export const rest: ConnectorDeclaration<unknown> = {
  key: 'rest',
  title: 'REST and JSON',
  description: 'Lists of JSON objects over HTTP; paths, paging and authentication are settings.',
  config: RestSettings,
  secrets: {
    token: { description: 'Token of the authentication `bearer` or `header`.' },
    password: { description: 'Password of the authentication `basic`.' },
    client_secret: { description: 'Secret of the client of the authentication `oauth2`.' },
  },
  open: (_services, connection) => openRest(connection),
};
