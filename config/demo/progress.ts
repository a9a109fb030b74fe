/** The used subset of a terminal. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 32;

/** A progress bar on a terminal; elsewhere one line per completed stage. */
export class Progress {
  private done = 0;

  /** @param total units of work of all stages */
  constructor(
    private readonly out: Terminal,
    private readonly total: number,
  ) {}

  /** @param stage the current stage @param units units of work since the last call */
  advance(stage: string, units: number): void {
    this.done += units;
    if (!this.out.isTTY) return;
    const part = Math.min(1, this.done / Math.max(1, this.total));
    const filled = Math.round(part * WIDTH);
    this.out.write(
      `\r[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${String(Math.round(part * 100)).padStart(3)} %  ${stage.padEnd(16)}`,
    );
  }

  /** Ends a stage. @param summary its result */
  stage(name: string, summary: string): void {
    if (this.out.isTTY) this.out.write(`\r${' '.repeat(WIDTH + 30)}\r`);
    this.out.write(`${name.padEnd(14)}${summary}\n`);
  }
}
