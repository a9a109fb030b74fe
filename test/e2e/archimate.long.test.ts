import t from 'tap';
import { dataAbsent } from '../support/app.js';
import { importModels, LARGE_BYTES } from '../support/archimate.js';

t.test(
  'every large model is imported completely, and a second import changes nothing',
  { skip: dataAbsent },
  async (t) => {
    await importModels(t, (bytes) => bytes >= LARGE_BYTES, 15);
  },
);
