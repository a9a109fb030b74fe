/** Lets a loop sleep until there is work or its time is up; a ring while it works is not lost. */
export class Wake {
  private rung = false;
  private resolve: (() => void) | undefined;

  ring = (): void => {
    this.rung = true;
    this.resolve?.();
  };

  /** @param ms the longest sleep */
  async sleep(ms: number): Promise<void> {
    if (!this.rung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    this.resolve = undefined;
    this.rung = false;
  }

  /** Sleeps whatever rings: what comes meanwhile is done at one go. The rings are not lost. */
  async pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
