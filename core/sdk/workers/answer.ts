/** The work of a script that a process of `WorkerQueue` has loaded. */
export type Work = (order: unknown) => unknown;

let loaded: Work | undefined;

/**
 * Answers the orders of a `WorkerQueue`; called once by its script, while it is loaded. The script runs in a process of its own,
 * which it shares with the scripts of other modules.
 * @param work an error it throws makes the order fail, with the error as cause
 * @param _transfer not used any more: answers are copied from process to process
 */
export function answerOrders<Order, Answer>(
  work: (order: Order) => Answer | Promise<Answer>,
  _transfer?: (answer: Answer) => readonly ArrayBuffer[],
): void {
  loaded = (order) => work(order as Order);
}

/** Loads a script. @returns what it answers orders with @throws if it does not call `answerOrders` */
export async function workOf(script: string): Promise<Work> {
  loaded = undefined;
  await import(script);
  const work = loaded as Work | undefined;
  if (!work) throw new Error(`${script} does not call answerOrders`);
  return work;
}
