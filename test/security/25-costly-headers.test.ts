/** Headers that are as long as Node.js accepts take little time. */
import t from 'tap';
import { preferredEncoding } from '../../core/foundation/http/fixed-text.js';
import { threadTime } from '../support/app.js';

/** Of all headers of a request. */
const MOST_HEADERS = 16_384;
const MOST_MS = 40;

for (const text of [' ', ' ;', ',', ';', '; q=', 'gzip;q=0.1,'])
  t.test(`Accept-Encoding of ${JSON.stringify(text)}`, async (t) => {
    const header = `a${text.repeat(Math.floor(MOST_HEADERS / text.length) - 2)}b`;
    const began = threadTime();
    preferredEncoding(header);
    const ms = threadTime() - began;
    t.ok(ms < MOST_MS, `${ms.toFixed(0)} ms`);
  });
