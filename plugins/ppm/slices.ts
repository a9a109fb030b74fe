/** Work on whole plans, which have up to 10,000 items and 20,000 dependencies, without blocking the event loop. */
import { TimeSlice } from '@lintel/sdk';

/** Items after which the time is looked at: fewer would cost more than they save. */
const STEP = 32;

/** Calls `visit` for each item, in time slices. */
export async function visitInSlices<T>(items: Iterable<T>, visit: (item: T, index: number) => void): Promise<void> {
  const slice = new TimeSlice();
  let index = 0;
  for (const item of items) {
    if (index % STEP === 0 && slice.isOver) await slice.next();
    visit(item, index++);
  }
}

/** As `items.map(make)`, in time slices. */
export async function mapInSlices<T, R>(items: Iterable<T>, make: (item: T, index: number) => R): Promise<R[]> {
  const made: R[] = [];
  await visitInSlices(items, (item, index) => made.push(make(item, index)));
  return made;
}
