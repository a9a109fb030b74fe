import type { ConnectorDeclaration } from '@lintel/sdk';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Declared = Omit<ConnectorDeclaration<unknown>, 'open'>;
type Config = Record<string, unknown>;

const MOST_FAULTS = 50;
const checks = new WeakMap<object, ValidateFunction>();

function checkOf({ config }: Declared): ValidateFunction {
  let check = checks.get(config);
  if (!check) {
    const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false });
    addFormats.default(ajv);
    check = ajv.compile({ ...config, additionalProperties: false });
    checks.set(config, check);
  }
  return check;
}

/** Checks the settings of a connection. @returns the settings with defaults, and the invalid ones as pointers below `/config` */
export function checkConfig(
  connector: Declared,
  sent: Config,
): { config: Config; faults: { field: string; reason: string }[] } {
  const config = structuredClone(sent);
  const check = checkOf(connector);
  if (check(config)) return { config, faults: [] };
  const faults = (check.errors ?? []).slice(0, MOST_FAULTS).map(({ instancePath, keyword, params, message }) => {
    const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
    const member = missingProperty ?? additionalProperty;
    const reason = keyword === 'additionalProperties' ? 'is not a setting of the connector' : (message ?? 'is invalid');
    return {
      field: `/config${instancePath}${member === undefined ? '' : `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`}`,
      reason: missingProperty === undefined ? reason : 'is required',
    };
  });
  return { config, faults };
}

/**
 * The settings that may determine where secrets are sent: all but numbers, booleans and choices from a list. A connector of a partner may
 * build addresses of any text, so that the names of settings do not tell.
 */
export function addressOf(connector: Declared, config: Config): string {
  const properties = connector.config.properties as Record<string, { enum?: unknown }>;
  const texts = Object.entries(config).filter(
    ([key, value]) =>
      typeof value !== 'number' && typeof value !== 'boolean' && properties[key]?.enum === undefined && value !== null,
  );
  return JSON.stringify(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}
