/**
 * Takes the place of `async-hook-domain` under tap, which follows every promise of the process to find out whose error
 * nobody caught; that takes a tenth of the time of the tests. Tests run one after another here, so that such an error
 * is of the test that began last and has not ended.
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
