/** Which order begins next: no user's orders make those of others wait for longer than one order takes. */

/** What waits for a turn. */
export interface Waiting {
  /** Id of the user, or of what else counts as one. */
  readonly user: string;
  begin(): void;
}

/** Users whose last turn is remembered. */
const MOST_REMEMBERED = 1_000;

/**
 * Limits what runs at the same time, in total and to one of each user, and orders the rest: the next one is that of the user
 * without a running one whose last turn is the longest ago, or who had none; of one user in the order of arrival.
 */
export class Turns {
  private readonly running = new Set<string>();
  private readonly waiting: Waiting[] = [];
  /** Users in the order of their last turns. */
  private readonly served = new Set<string>();

  /** @param most what runs at the same time */
  constructor(private readonly most: number) {}

  /** Begins at once or later, until `remove`. */
  add(one: Waiting): void {
    this.waiting.push(one);
    this.next();
  }

  /** @returns whether it was waiting; it does not begin any more */
  remove(one: Waiting): boolean {
    const at = this.waiting.indexOf(one);
    if (at >= 0) this.waiting.splice(at, 1);
    return at >= 0;
  }

  /** How many of a user wait. */
  waitingOf(user: string): number {
    return this.waiting.filter((one) => one.user === user).length;
  }

  /** Ends the turn of a user. */
  end(user: string): void {
    this.running.delete(user);
    this.next();
  }

  private next(): void {
    while (this.running.size < this.most) {
      const one = this.first();
      if (!one) return;
      this.remove(one);
      this.running.add(one.user);
      this.served.delete(one.user);
      this.served.add(one.user);
      if (this.served.size > MOST_REMEMBERED) this.served.delete(this.served.values().next().value!);
      one.begin();
    }
  }

  private first(): Waiting | undefined {
    const turns = [...this.served];
    const rank = ({ user }: Waiting): number => turns.indexOf(user);
    return this.waiting
      .filter(({ user }) => !this.running.has(user))
      .reduce<Waiting | undefined>((first, one) => (first && rank(first) <= rank(one) ? first : one), undefined);
  }
}
