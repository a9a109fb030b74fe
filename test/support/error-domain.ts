/**
 * Replaces `async-hook-domain` in tap, which tracks every promise of the process to assign uncaught errors to tests and
 * takes a tenth of the time of the tests. Tests run one after another here, so that an uncaught error belongs to the
 * running test that began last.
 */
type OnError = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin) => void;

const open: Domain[] = [];

export class Domain {
  constructor(readonly onerror: OnError) {
    open.push(this);
  }

  destroy(): void {
    const at = open.indexOf(this);
    if (at >= 0) open.splice(at, 1);
  }
}

process.on('uncaughtException', (error, origin) => {
  const domain = open.at(-1);
  if (!domain) throw error;
  domain.onerror(error, origin);
});
