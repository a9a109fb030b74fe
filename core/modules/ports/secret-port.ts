import type { SecretPort } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { ModuleUnit } from './unit.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
/** Maximum size of a value in bytes: enough for a key, a token or a certificate, but not for a document. */
const MAX_BYTES = 65_536;

/** Secrets of one module, with names that are unique to it. */
export function secretPort(module: string, { secrets }: HostServices): SecretPort {
  const own = (name: string): string => {
    if (!NAME.test(name))
      throw new Error(
        `a secret of ${module} has a name that is not 1 to 100 letters, digits, dots, dashes and underscores`,
      );
    // Module ids contain no dot, so that prefixes of two modules cannot collide.
    return `module.${module}.${name}`;
  };
  return {
    async get(name) {
      return (await secrets.get(own(name)))?.toString('utf8');
    },

    async set(name, value, unit) {
      const bytes = Buffer.from(value, 'utf8');
      if (bytes.length > MAX_BYTES) throw new Error(`the secret ${name} of ${module} has more than ${MAX_BYTES} bytes`);
      await secrets.set(own(name), bytes, unit && ModuleUnit.core(unit));
    },

    async remove(name, unit) {
      await secrets.remove(own(name), unit && ModuleUnit.core(unit));
    },
  };
}
