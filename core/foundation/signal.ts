/** Lets a loop sleep until the signal is raised or a timeout; a signal raised while the loop is working is not lost. */
export class Signal {
  private isRaised = false;
  private resolve: (() => void) | undefined;

  raise = (): void => {
    this.isRaised = true;
    this.resolve?.();
  };

  /** @param ms maximum duration */
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

  /** Sleeps for the full time, so that several signals are handled together; none is lost. */
  async pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
