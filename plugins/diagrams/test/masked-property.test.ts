/** Random edits of masked files; the long test has more of them. */
import { testProperties } from './masked-property.js';

await testProperties({ random: 6, honest: 5 });
