/** What a file has and a plan has not: one sentence for each kind, with how often it occurs. */
export class Notes {
  readonly #counts = new Map<string, number>();

  /** @param sentence without the full stop; the same for all of one kind */
  add(sentence: string, count = 1): void {
    if (count > 0) this.#counts.set(sentence, (this.#counts.get(sentence) ?? 0) + count);
  }

  get list(): string[] {
    return [...this.#counts].map(([sentence, count]) => `${sentence}: ${count}.`);
  }
}
