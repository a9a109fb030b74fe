import { Type, type Static, type TStringOptions } from 'typebox';
import { SECRET_LENGTH } from './previous-secrets.js';

/** Additional keywords of the schema of a variable, used by load.ts and by the docs test. */
interface Notes {
  description: string;
  /** End of the error message "NAME …", if the keywords of the schema do not explain the error. */
  must?: string;
  /** The value is never part of a message or log. */
  secret?: true;
}

const integer = (minimum: number, maximum: number, fallback: number, notes: Notes) =>
  Type.Integer({ minimum, maximum, default: fallback, ...notes });
const text = (notes: TStringOptions & Notes) => Type.String(notes);
const choice = <const T extends string>(values: T[], fallback: NoInfer<T>, description: string) =>
  Type.Enum<T[]>(values, { default: fallback, description });

const KEY = 'must be 32 bytes, written as 64 hexadecimal digits or in base64';
const JWT_SECRET = { minLength: SECRET_LENGTH, must: 'must have at least 32 characters', secret: true } as const;
const PACKAGES = '(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*';

/** The environment, one property for each variable; an empty string counts as unset. */
export const Environment = Type.Object({
  PORT: integer(0, 65_535, 8920, { description: 'TCP port; 0 selects any free one' }),
  HOST: text({
    default: '0.0.0.0',
    pattern: '^[A-Za-z0-9.:_-]+$',
    must: 'must be an address or a host name',
    description: 'address to listen on',
  }),
  DATA_DIR: text({ default: './data', description: 'folder of the embedded database and of the secret key' }),
  DATABASE_URL: Type.Optional(
    text({
      secret: true,
      description: 'PostgreSQL 15 or newer to use instead of the embedded one; may name several hosts',
    }),
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    text({
      must: 'must be a URL such as postgres://user:password@replica:5432/database',
      secret: true,
      description: 'streaming replica of that database, from which exports are read',
    }),
  ),
  DATABASE_POOL_MAX: integer(2, 500, 20, { description: 'maximum number of database connections of this node' }),
  STORAGE_MIN_FREE_MB: integer(0, 10_000_000, 512, {
    description:
      'minimum free space in MiB on the disk of the embedded database; with less, writes get 503 `storage_full`; 0 for no limit',
  }),
  REDIS_URL: Type.Optional(
    text({
      must: 'must be a URL such as redis://user:password@host:6379/0, or rediss:// for TLS',
      secret: true,
      description: 'Redis or Valkey that counts requests for rate limits, instead of the database',
    }),
  ),
  ENVIRONMENT: choice(
    ['production', 'development'],
    'production',
    '`development` serves the interactive documentation',
  ),
  LOG_LEVEL: choice(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'lowest severity that is logged',
  ),
  ACCESS_TOKEN_EXPIRE_MINUTES: integer(1, 43_200, 1440, { description: 'lifetime of an access token in minutes' }),
  JWT_SECRET: Type.Optional(
    text({
      ...JWT_SECRET,
      description: 'signs access tokens; without it a key is generated and stored in the database',
    }),
  ),
  JWT_SECRET_PREVIOUS: Type.Optional(
    text({
      ...JWT_SECRET,
      description: 'previous key, or several, comma-separated: tokens signed with them are accepted until they expire',
    }),
  ),
  ALLOWED_ORIGINS: text({ default: '', description: 'origins whose browser pages may call the API, comma-separated' }),
  PUBLIC_URL: Type.Optional(
    text({
      must: 'must be an http or https address such as https://ea.example.com or https://example.com/lintel, without user, query and fragment',
      description:
        'address at which users reach the service, with the path if it is below one; links in mails and pictures, and single sign-on, need it',
    }),
  ),
  TRUST_PROXY: integer(0, 32, 0, {
    description: 'number of reverse proxies in front, whose `X-Forwarded-*` headers are trusted',
  }),
  LINTEL_SECRET_KEY: Type.Optional(
    text({
      must: KEY,
      secret: true,
      description: 'encrypts stored secrets; required with `DATABASE_URL`, otherwise stored in `DATA_DIR/secret.key`',
    }),
  ),
  LINTEL_SECRET_KEY_PREVIOUS: Type.Optional(
    text({
      must: KEY,
      secret: true,
      description: 'previous key: decrypts what was stored with it, until it is re-encrypted',
    }),
  ),
  LINTEL_MODULES: text({
    default: '',
    pattern: `^(\\s*(${PACKAGES})?\\s*(,|$))*$`,
    must: 'must be a comma-separated list of npm package names',
    description: 'packages to load as modules, comma-separated',
  }),
  LINTEL_MODULES_INSTALL: choice(
    ['allowed', 'forbidden'],
    'allowed',
    'whether administrators may install other packages as modules while the service runs, if they lie in a folder where it finds modules',
  ),
  IMPACT_GRAPH_MAX_RELATIONS: integer(0, 20_000_000, 10_000_000, {
    description:
      'maximum number of relations, and of cards, for which impact is computed in memory, at some 100 bytes each; 0 disables this',
  }),
  IMPORT_RETENTION_DAYS: integer(0, 36_500, 90, {
    description:
      'days after which imports that are done, or were never applied, are deleted with their rows; 0 keeps them',
  }),
  IMPORT_DIR: Type.Optional(
    text({
      description:
        'folder with files for connectors of CMDB synchronisation, the same on all nodes; nothing outside of it is read',
    }),
  ),
  METRICS_TOKEN: Type.Optional(
    text({
      pattern: '^[\\x21-\\x7e]+$',
      must: 'must be printable ASCII without spaces',
      secret: true,
      description: 'bearer token for reading `/api/metrics` from addresses other than loopback',
    }),
  ),
  BODY_TIMEOUT_SECONDS: integer(1, 600, 30, {
    description: 'seconds within which a whole request must arrive, except for uploads, which have 15 minutes',
  }),
  LARGE_BODIES: integer(1, 100, 3, {
    description:
      'requests with bodies over 1 MiB that a node reads and processes concurrently, except for uploads of imports; one of each user; and, counted apart, bulk requests with 500 operations or more',
  }),
  LARGE_BODY_WAIT_SECONDS: integer(1, 300, 40, {
    description: 'maximum number of seconds such a request is queued; then it is a 503',
  }),
  SHUTDOWN_GRACE_SECONDS: integer(1, 60, 6, {
    description: 'seconds in which running requests may finish when the service stops',
  }),
  SHUTDOWN_DELAY_SECONDS: integer(0, 300, 0, {
    description:
      'seconds for which the service still serves requests after the signal to stop, while it is no longer ready, so that load balancers notice',
  }),
  OUTBOUND_ALLOW: text({
    default: '',
    description:
      'hosts, `host:port`, addresses and CIDR ranges the service may call although they are not public, comma-separated',
  }),
  WEBHOOK_DISABLE_HOURS: integer(1, 8_760, 120, {
    description: 'hours for which every attempt of a webhook must have failed before it is disabled',
  }),
  UV_THREADPOOL_SIZE: integer(2, 1_024, 4, {
    description:
      'threads for password hashing, compression, files and DNS look-ups; read by Node.js itself, and set to 8 by `npm start`',
  }),
  FONT_DIR: Type.Optional(
    text({
      description:
        'folder of additional fonts (TTF, OTF, TTC) for PNG, for characters that DejaVu Sans does not have, such as Chinese, Japanese and Korean ones',
    }),
  ),
  LINTEL_PLUGINS_DIR: Type.Optional(text({ description: 'an additional folder of modules, besides `plugins/`' })),
});

type Values = Static<typeof Environment>;

/** The configuration of one node, checked and complete. */
export interface Config {
  port: number;
  host: string;
  /** Absolute path. */
  dataDir: string;
  databaseUrl?: string;
  /** Of a streaming replica of the database. */
  databaseReplicaUrl?: string;
  databasePoolMax: number;
  redisUrl?: string;
  environment: Values['ENVIRONMENT'];
  logLevel: Values['LOG_LEVEL'];
  accessTokenExpireMinutes: number;
  jwtSecret?: string;
  jwtSecretPrevious?: string;
  /** As browsers send them in `Origin`: lower case, no default port, no path. */
  allowedOrigins: string[];
  /** Address at which users reach the service, without a slash at the end. */
  publicUrl?: string;
  /** Number of proxies in front whose forwarding headers are trusted. */
  trustProxy: number;
  /** 32 bytes, in hexadecimal or base64. */
  secretKey?: string;
  secretKeyPrevious?: string;
  /** Names of npm packages. */
  modules: string[];
  /** Whether administrators may install packages at run time. */
  modulesInstall: boolean;
  /** Only the modules of Lintel itself are loaded. */
  safeMode?: boolean;
  /** Maximum number of relations, and of cards, in memory; 0 disables this. */
  impactGraphMaxRelations: number;
  /** Days; 0 keeps imports. */
  importRetentionDays: number;
  /** Absolute path of the folder that connectors may read. */
  importDir?: string;
  metricsToken?: string;
  bodyTimeoutSeconds: number;
  /** Maximum number of concurrent requests with large bodies. */
  largeBodies: number;
  largeBodyWaitSeconds: number;
  shutdownGraceSeconds: number;
  /** Seconds in which the service is not ready but still serves requests. */
  shutdownDelaySeconds: number;
  /** Hosts, host:port, addresses and ranges of private systems that may be called. */
  outboundAllow: string[];
  webhookDisableHours: number;
  /** Threads of libuv's pool. */
  threadPoolSize: number;
  /** MiB; 0 for no limit. */
  storageMinFreeMb: number;
  /** Absolute path of a folder of fonts for images. */
  fontDir?: string;
  /** Absolute path. */
  pluginsDir?: string;
}
