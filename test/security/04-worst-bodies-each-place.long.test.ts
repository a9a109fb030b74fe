import t from 'tap';
import { worstBodiesSuite } from './worst-run.js';

t.test('no body blocks the event loop or fills the memory', (t) =>
  worstBodiesSuite(t, { mostBytes: 33_554_432, each: true }),
);
