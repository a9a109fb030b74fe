import type { UnitOfWork } from '@lintel/sdk';

const units = new WeakSet<UnitOfWork>();

/** Notes that the transaction states the position of a task itself: its status may change without a move to the end. */
export const placed = (uow: UnitOfWork): WeakSet<UnitOfWork> => units.add(uow);
export const isPlaced = (uow: UnitOfWork): boolean => units.has(uow);
