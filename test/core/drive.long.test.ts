/** The drive of drive.test.ts with 20,000 calls. */
import t from 'tap';
import { driveSuite } from '../drive/suite.js';

const CALLS = 20_000;

t.test(`${CALLS} calls of all operations`, (t) => driveSuite(t, CALLS));
