/** Levels of any tree, as the write path of cards has it. */
const MAX_LEVEL = 100;

/** The parents a model gives its elements: the first one said, where it breaks no rule. */
export class ElementTree {
  private readonly parents = new Map<number, number>();
  /** Levels below an element, by element. */
  private readonly heights = new Map<number, number>();

  /** @param above how many cards are above an element that has no parent here */
  constructor(private readonly above: (element: number) => number) {}

  parentOf(element: number): number | undefined {
    return this.parents.get(element);
  }

  /**
   * Puts an element below another one.
   * @param maxLevel of the type both have
   * @returns false where it has a parent already, would be its own ancestor, or would be too deep, or what is below it
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

  /** An element and all above it, itself first. */
  private lineOf(element: number): number[] {
    const line = [element];
    for (let at = this.parents.get(element); at !== undefined; at = this.parents.get(at)) line.push(at);
    return line;
  }
}
