/** Milliseconds of work of all tasks together after which timers and sockets are processed. */
const SLICE_MS = 8;

/** End of the slice of the current turn of the event loop; undefined until a task works in this turn. */
let end: number | undefined;
/** Tasks that continue in later turns, one a turn, in the order in which they stopped. */
const waiting: (() => void)[] = [];
let isScheduled = false;

/** The end of the slice of this turn, which the first task that works in it begins. */
function endOfSlice(): number {
  if (end === undefined) {
    end = performance.now() + SLICE_MS;
    schedule();
  }
  return end;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(nextTurn);
}

function nextTurn(): void {
  isScheduled = false;
  end = undefined;
  waiting.shift()?.();
  if (waiting.length > 0) schedule();
}

/**
 * Splits work on the event loop into short portions. Long work checks `isOver` between its parts and awaits
 * `next()` if it is true: `if (slice.isOver) await slice.next();`
 *
 * All tasks of a thread share the slice of a turn: if each had its own, forty tasks would block the event loop forty times as long.
 */
export class TimeSlice {
  constructor() {
    endOfSlice();
  }

  get isOver(): boolean {
    return performance.now() >= endOfSlice();
  }

  /** Resolves after pending timers and sockets have been processed and the tasks that stopped before have continued. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      schedule();
    });
    endOfSlice();
  }
}
