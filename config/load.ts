import path from 'node:path';
import type { Static, TSchema } from 'typebox';
import { DatabaseUrlError, readDatabaseUrl } from './database-url.js';
import { readTarget } from './outbound-target.js';
import { Environment, type Config } from './schema.js';

/** The environment is invalid; the message lists every invalid variable, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

type Values = Static<typeof Environment>;
type Variable = keyof Values;
interface VariableSchema {
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  pattern?: string;
  default?: unknown;
  must?: string;
  secret?: true;
}

const VARIABLES = Object.entries(Environment.properties) as [Variable, TSchema & VariableSchema][];
const SHOWN_CHARACTERS = 60;
const SCHEMES = [
  ['DATABASE_REPLICA_URL', /^postgres(ql)?:\/\//i],
  ['REDIS_URL', /^rediss?:\/\//i],
] as const;

/**
 * Reads the configuration.
 * @param env the process environment; variables set to an empty string count as unset
 * @returns every value with defaults filled in and absolute paths
 * @throws ConfigError listing all invalid variables, never the value of a secret one
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const problems = new Map<Variable, string>();
  const given = {} as Record<Variable, unknown>;
  for (const [name, schema] of VARIABLES) {
    const text = env[name];
    if (text === undefined || text === '') {
      if ('default' in schema) given[name] = schema.default;
      continue;
    }
    const value = schema.type === 'integer' ? strictInteger(text) : text;
    if (isAllowed(schema, value)) given[name] = value;
    else problems.set(name, refusal(name, schema, text));
  }
  const values = given as Values;
  const refuse = (name: Variable, text: string): void => {
    if (!problems.has(name)) problems.set(name, text);
  };
  const origins = readOrigins(values.ALLOWED_ORIGINS, (text) => refuse('ALLOWED_ORIGINS', text));
  const invalidTargets = readList(values.OUTBOUND_ALLOW)
    .filter((item) => !readTarget(item))
    .map(shown);
  if (invalidTargets.length > 0)
    refuse(
      'OUTBOUND_ALLOW',
      `OUTBOUND_ALLOW must be hosts, host:port, addresses or CIDR ranges, not ${invalidTargets.join(', ')}`,
    );
  checkUrlsAndKeys(values, refuse);
  const publicUrl = readPublicUrl(values.PUBLIC_URL);
  if (values.PUBLIC_URL !== undefined && publicUrl === undefined)
    refuse('PUBLIC_URL', refusal('PUBLIC_URL', Environment.properties.PUBLIC_URL, values.PUBLIC_URL));
  if (problems.size > 0) throw new ConfigError(VARIABLES.flatMap(([name]) => problems.get(name) ?? []));
  return toConfig(values, origins, publicUrl);
}

/** Checks that involve several variables, or that a pattern cannot express. */
function checkUrlsAndKeys(values: Values, refuse: (name: Variable, text: string) => void): void {
  const must = (name: Variable): string => `${name} ${(Environment.properties[name] as VariableSchema).must}`;
  const url = values.DATABASE_URL;
  for (const [name, scheme] of SCHEMES) {
    const given = values[name];
    if (given !== undefined && !(scheme.test(given) && URL.canParse(given))) refuse(name, must(name));
  }
  try {
    if (url !== undefined) readDatabaseUrl(url);
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    refuse('DATABASE_URL', `DATABASE_URL ${error.message}`);
  }
  if (url === undefined && values.DATABASE_REPLICA_URL !== undefined)
    refuse('DATABASE_REPLICA_URL', 'DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica');
  for (const name of ['LINTEL_SECRET_KEY', 'LINTEL_SECRET_KEY_PREVIOUS'] as const) {
    if (values[name] !== undefined && !isKey(values[name])) refuse(name, must(name));
  }
  if (url !== undefined && values.LINTEL_SECRET_KEY === undefined) {
    refuse('LINTEL_SECRET_KEY', 'LINTEL_SECRET_KEY is required when DATABASE_URL is set: all nodes must share one key');
  }
}

/**
 * Whether the schema of a variable allows a value. It supports only the keywords these schemas use, because loading a
 * general validator takes longer than the rest of the configuration.
 */
function isAllowed(schema: VariableSchema, value: unknown): boolean {
  const { type, minimum = -Infinity, maximum = Infinity, minLength = 0, pattern } = schema;
  if (type === 'integer') return typeof value === 'number' && value >= minimum && value <= maximum;
  if (schema.enum) return schema.enum.includes(value as string);
  return (
    typeof value === 'string' &&
    [...value].length >= minLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value))
  );
}

/** Digits only: no sign, fraction, exponent or blanks. */
function strictInteger(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function isKey(text: string): boolean {
  if (/^[0-9a-f]{64}$/i.test(text)) return true;
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && Buffer.from(text, 'base64').length === 32;
}

function refusal(name: Variable, schema: VariableSchema, text: string): string {
  let must = schema.must ?? 'is not usable';
  if (schema.type === 'integer') must = `must be a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.enum) must = `must be one of ${schema.enum.join(', ')}`;
  return `${name} ${must}${schema.secret ? '' : `, not ${shown(text)}`}`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}

function readList(text: string | undefined): string[] {
  return [
    ...new Set(
      (text ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    ),
  ];
}

/** Origins in the form sent by browsers. */
function readOrigins(text: string | undefined, refuse: (text: string) => void): string[] {
  const bad: string[] = [];
  const origins = readList(text).flatMap((item) => {
    // Path and query are checked in the text, because URL would add or drop a slash silently.
    const url = /^https?:\/\/[^/?#@\\]+$/i.test(item) && URL.canParse(item) ? new URL(item) : undefined;
    if (!url || url.hostname.includes('*')) bad.push(shown(item));
    return url ? [url.origin] : [];
  });
  if (bad.length > 0)
    refuse(
      `ALLOWED_ORIGINS must be origins such as https://ea.example.com, without path or wildcard, not ${bad.join(', ')}`,
    );
  return [...new Set(origins)];
}

/** The public address without a slash at the end; undefined if the text is none. */
function readPublicUrl(text: string | undefined): string | undefined {
  // User, query and fragment are refused in the text, because URL would drop them when they are empty.
  if (text === undefined || !/^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i.test(text) || !URL.canParse(text))
    return undefined;
  const { origin, hostname, pathname } = new URL(text);
  return hostname.includes('*') ? undefined : `${origin}${pathname.replace(/\/+$/, '')}`;
}

function toConfig(values: Values, allowedOrigins: string[], publicUrl: string | undefined): Config {
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: path.resolve(values.DATA_DIR),
    databasePoolMax: values.DATABASE_POOL_MAX,
    storageMinFreeMb: values.STORAGE_MIN_FREE_MB,
    environment: values.ENVIRONMENT,
    logLevel: values.LOG_LEVEL,
    accessTokenExpireMinutes: values.ACCESS_TOKEN_EXPIRE_MINUTES,
    allowedOrigins,
    trustProxy: values.TRUST_PROXY,
    impactGraphMaxRelations: values.IMPACT_GRAPH_MAX_RELATIONS,
    importRetentionDays: values.IMPORT_RETENTION_DAYS,
    modules: readList(values.LINTEL_MODULES),
    modulesInstall: values.LINTEL_MODULES_INSTALL === 'allowed',
    outboundAllow: readList(values.OUTBOUND_ALLOW),
    webhookDisableHours: values.WEBHOOK_DISABLE_HOURS,
    threadPoolSize: values.UV_THREADPOOL_SIZE,
    bodyTimeoutSeconds: values.BODY_TIMEOUT_SECONDS,
    largeBodies: values.LARGE_BODIES,
    largeBodyWaitSeconds: values.LARGE_BODY_WAIT_SECONDS,
    shutdownGraceSeconds: values.SHUTDOWN_GRACE_SECONDS,
    shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS,
    ...(values.DATABASE_URL !== undefined && { databaseUrl: values.DATABASE_URL }),
    ...(values.DATABASE_REPLICA_URL !== undefined && { databaseReplicaUrl: values.DATABASE_REPLICA_URL }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(values.REDIS_URL !== undefined && { redisUrl: values.REDIS_URL }),
    ...(values.JWT_SECRET !== undefined && { jwtSecret: values.JWT_SECRET }),
    ...(values.JWT_SECRET_PREVIOUS !== undefined && { jwtSecretPrevious: values.JWT_SECRET_PREVIOUS }),
    ...(values.LINTEL_SECRET_KEY !== undefined && { secretKey: values.LINTEL_SECRET_KEY }),
    ...(values.LINTEL_SECRET_KEY_PREVIOUS !== undefined && { secretKeyPrevious: values.LINTEL_SECRET_KEY_PREVIOUS }),
    ...(values.IMPORT_DIR !== undefined && { importDir: path.resolve(values.IMPORT_DIR) }),
    ...(values.METRICS_TOKEN !== undefined && { metricsToken: values.METRICS_TOKEN }),
    ...(values.FONT_DIR !== undefined && { fontDir: path.resolve(values.FONT_DIR) }),
    ...(values.LINTEL_PLUGINS_DIR !== undefined && { pluginsDir: path.resolve(values.LINTEL_PLUGINS_DIR) }),
  };
}
