import type { InjectionToken } from 'tsyringe';
import type { Config } from '../../config/schema.js';
import type { Database } from '../foundation/db/database.js';
import type { LargeBodies } from '../foundation/http/large-bodies.js';
import type { Log } from '../foundation/log.js';

/** Typed tokens for dependencies without a class; services and repositories are registered under their class. */
const token = <T>(name: string): InjectionToken<T> => Symbol(name);

export const CONFIG = token<Config>('config');
export const DATABASE = token<Database>('database');
export const LOG = token<Log>('log');
/** Slots of bulk requests with many operations. */
export const LARGE_BULKS = token<LargeBodies>('large bulks');
