import t from 'tap';
import { dataAbsent } from '../helper.js';
import { importModels, LARGE_BYTES } from '../helper-archimate.js';

t.test('every model is imported whole, and a second time changes nothing', { skip: dataAbsent }, async (t) => {
  await importModels(t, (bytes) => bytes < LARGE_BYTES, 20);
});
