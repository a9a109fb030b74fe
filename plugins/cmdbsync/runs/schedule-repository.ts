import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { Mapping } from '../mappings/definition.js';

type Row<T> = T & Record<string, unknown>;

/** A mapping that is locked until the transaction ends. */
export interface LockedMapping
  extends Pick<
    Mapping,
    'id' | 'name' | 'direction' | 'auto_apply' | 'is_enabled' | 'runs_as' | 'watermark' | 'schedule' | 'time_zone'
  > {
  next_run_at: Date | null;
}

const COLUMNS = 'id, name, direction, auto_apply, is_enabled, runs_as, watermark, schedule, time_zone, next_run_at';
const LOCK = {
  name: 'cmdbsync-mapping-lock',
  text: `select ${COLUMNS} from cmdbsync_mappings where id = $1 for no key update`,
};
const DUE = {
  name: 'cmdbsync-mappings-due',
  text: `select id from cmdbsync_mappings where next_run_at <= clock_timestamp() and is_enabled order by next_run_at, id limit $1`,
};
const LOCK_DUE = {
  name: 'cmdbsync-mapping-lock-due',
  text: `select ${COLUMNS} from cmdbsync_mappings where id = $1 and next_run_at <= clock_timestamp() and is_enabled
    for no key update skip locked`,
};
const SET_NEXT = {
  name: 'cmdbsync-mapping-next',
  text: 'update cmdbsync_mappings set next_run_at = $2 where id = $1',
};
const CLOCK = { name: 'cmdbsync-clock', text: 'select clock_timestamp() as now' };

export async function lockMapping(uow: UnitOfWork, id: string): Promise<LockedMapping | undefined> {
  return (await uow.query<Row<LockedMapping>>(LOCK, [id]))[0];
}

/** Mappings whose schedules are due. */
export async function readDue(db: Pick<ModuleServices['db'], 'query'>, most: number): Promise<string[]> {
  return (await db.query<{ id: string }>(DUE, [most])).map(({ id }) => id);
}

/** A mapping that is due; undefined if another node has it. */
export async function lockDue(uow: UnitOfWork, id: string): Promise<LockedMapping | undefined> {
  return (await uow.query<Row<LockedMapping>>(LOCK_DUE, [id]))[0];
}

export async function setNextRun(uow: UnitOfWork, id: string, at: Date | null): Promise<void> {
  await uow.query(SET_NEXT, [id, at]);
}

/** The time of the database. */
export async function clock(uow: UnitOfWork): Promise<Date> {
  return (await uow.query<{ now: Date }>(CLOCK))[0]!.now;
}
