import { MAX_LEVEL } from '../../../cards/index.js';

/** The parents of elements according to the model: the first one for each that is valid. */
export class ElementTree {
  private readonly parents = new Map<number, number>();
  /** Number of levels below each element. */
  private readonly heights = new Map<number, number>();

  /** @param above number of cards above an element that has no parent in the model */
  constructor(private readonly above: (element: number) => number) {}

  parentOf(element: number): number | undefined {
    return this.parents.get(element);
  }

  /**
   * Sets the parent of an element.
   * @param maxLevel maximum level of their common type
   * @returns false where it already has a parent, would be its own ancestor, or it or an element below would be too
   *   deep
   */
  place(child: number, parent: number, maxLevel = MAX_LEVEL): boolean {
    if (this.parents.has(child)) return false;
    const line = this.lineOf(parent);
    if (line.includes(child)) return false;
    const depth = this.above(line.at(-1)!) + line.length;
    const height = (this.heights.get(child) ?? 0) + 1;
    if (depth + height > Math.min(maxLevel, MAX_LEVEL)) return false;
    this.parents.set(child, parent);
    line.forEach((element, i) => this.heights.set(element, Math.max(this.heights.get(element) ?? 0, height + i)));
    return true;
  }

  /** An element and all its ancestors, itself first. */
  private lineOf(element: number): number[] {
    const line = [element];
    for (let at = this.parents.get(element); at !== undefined; at = this.parents.get(at)) line.push(at);
    return line;
  }
}
