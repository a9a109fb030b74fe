/** The drive of drive.test.ts with ten times as many calls. */
import t from 'tap';
import { driveSuite } from '../drive/suite.js';

const CALLS = 20_000;

t.test(`${CALLS} calls of all operations`, (t) => driveSuite(t, CALLS));
