import type { Statement } from '@lintel/sdk';
import { digest } from '../../foundation/digest.js';

const MAX_NAME = 40;
const known = new WeakMap<Statement, Statement>();

/**
 * A module's statement under a name that tells its text too: after an update the same name may stand for another text,
 * and a connection that has prepared the one before would refuse it.
 */
export function hashed(statement: Statement): Statement {
  let own = known.get(statement);
  if (!own) {
    const { name, text } = statement;
    own =
      name === ''
        ? statement
        : {
            name: `${name.slice(0, MAX_NAME)}#${digest(text)}`,
            text,
          };
    known.set(statement, own);
  }
  return own;
}
