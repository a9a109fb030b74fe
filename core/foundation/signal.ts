/** Lets a loop sleep until there is work or its time is up; what is raised while it works is not lost. */
export class Signal {
  private isRaised = false;
  private resolve: (() => void) | undefined;

  raise = (): void => {
    this.isRaised = true;
    this.resolve?.();
  };

  /** @param ms the longest sleep */
  async sleep(ms: number): Promise<void> {
    if (!this.isRaised) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    this.resolve = undefined;
    this.isRaised = false;
  }

  /** Sleeps the whole time: what is raised meanwhile is done at one go, and is not lost. */
  async pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
