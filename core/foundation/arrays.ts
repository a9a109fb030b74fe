/** Removes an item from a short array whose order does not matter. @returns whether the array contained it */
export function removeFrom<T>(items: T[], item: T): boolean {
  const index = items.indexOf(item);
  if (index === -1) return false;
  const last = items.pop()!;
  if (index < items.length) items[index] = last;
  return true;
}
