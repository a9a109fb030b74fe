import type { Statement } from '@lintel/sdk';
import { digest } from '../../foundation/digest.js';

const MAX_NAME = 40;
const known = new WeakMap<Statement, Statement>();

/**
 * A module's statement with a name that includes a hash of its text: after an update the same name may have another
 * text, which a connection with the previous prepared statement would reject.
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
