/** Many random edits of masked files. */
import { testProperties } from './masked-property.js';

await testProperties({ random: 150, honest: 80 });
