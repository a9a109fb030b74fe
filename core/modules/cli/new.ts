/** `npm run module:new <id> [-- --package @acme/lintel-x --dir path]`: creates a working module as a starting point. */
import { ModuleNewError, newModule, optionsOf } from './new-module.js';

try {
  const made = await newModule(optionsOf(process.argv.slice(2)));
  for (const line of made) process.stdout.write(`${line}\n`);
} catch (error) {
  process.stderr.write(
    `no module was made: ${error instanceof ModuleNewError ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
}
