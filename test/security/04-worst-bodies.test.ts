/** Every operation with a third of the worst bodies, so that each body is sent to a third of the operations; the long test sends all. */
import t from 'tap';
import { worstBodiesSuite } from './worst-run.js';

t.test('no body blocks the event loop or fills the memory', (t) =>
  worstBodiesSuite(t, { mostBytes: 1_048_576, each: false, oneOf: 3 }),
);
