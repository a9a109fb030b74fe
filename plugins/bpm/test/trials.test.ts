/** Files in the form that other tools write, which were refused or drawn badly when they were tried. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DATA_DIR } from '../../../test/support/app.js';
import { read } from './samples.js';

const FILE = join(DATA_DIR, 'trials', '15-bpmn-error-code.bpmn');

t.test('a file with the code of an error can be submitted', { skip: !existsSync(FILE) && 'no data of trials' }, (t) => {
  const { problems } = read(readFileSync(FILE));
  t.strictSame(
    problems.map(({ severity, code }) => `${severity} ${code}`).filter((one) => one.startsWith('error')),
    [],
  );
  t.ok(problems.some(({ code, message }) => code === 'unresolved_reference' && message.includes('PAYMENT_FAILED')));
  t.end();
});
