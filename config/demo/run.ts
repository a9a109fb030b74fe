/**
 * Fills a workspace with the landscape of Aldermoor Rail, a fictional rail operator:
 *
 *     npm run demo -- --url http://localhost:8920 --email ada@example.org --password …
 *
 * If no user is registered yet, it registers an administrator and prints the login. It can be run repeatedly: only
 * differences are written. For a service on another machine, `--setup-code` is required with the code from its log.
 * `LINTEL_DEMO_URL`, `LINTEL_DEMO_EMAIL`, `LINTEL_DEMO_PASSWORD` and `LINTEL_DEMO_SETUP_CODE` replace missing options.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ProblemError } from '@lintel/client';
import { DemoClient } from './client.js';
import { isWrongLogin, storeLandscape, words } from './demo.js';
import { buildLandscape } from './landscape.js';
import { Progress } from './progress.js';

const EMAIL = 'admin@aldermoor-rail.example';
const REFUSALS_SHOWN = 5;

const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Logs in, or registers the first user.
 * @returns the password if it was generated here: it differs for every workspace
 * @throws naming the required options, where users already exist
 */
async function enter(
  api: DemoClient,
  email: string,
  password: string | undefined,
  setupCode: string | undefined,
): Promise<string | undefined> {
  if (password !== undefined) {
    try {
      await api.logIn(email, password);
      return undefined;
    } catch (error) {
      if (!isWrongLogin(error)) throw error;
    }
  }
  const refusal =
    password === undefined
      ? 'A user is already registered: give --email and --password of an administrator.'
      : `E-mail ${email} and password do not match an account.`;
  const { registration } = await api.get('/settings');
  // If registration is open, the account would not become an administrator.
  if (registration.enabled) throw new Error(refusal);
  // Hexadecimal, so that it never begins with a dash, which would be parsed as an option.
  const made = password ?? randomBytes(12).toString('hex');
  try {
    await api.register(email, made, setupCode);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'setup_code_required')
      throw new Error('No user is registered there yet: give --setup-code with the code from the log of the service.', {
        cause: error,
      });
    if (error instanceof ProblemError && error.status === 403) throw new Error(refusal, { cause: error });
    throw error;
  }
  print(`Registered the administrator ${email}${password === undefined ? ` with the password ${made}` : ''}`);
  return password === undefined ? made : undefined;
}

const HELP = `Fills a running service with the landscape of a rail operator that does not exist.

  npm run demo                                          if no user is registered yet: registers an administrator
  npm run demo -- --email ada@example.org --password …  with an administrator's account

  --url         of the service; default: http://localhost:8920 (LINTEL_DEMO_URL)
  --email       of the administrator; default: ${EMAIL} (LINTEL_DEMO_EMAIL)
  --password    of the administrator (LINTEL_DEMO_PASSWORD)
  --setup-code  from the log of the service, to register from another machine (LINTEL_DEMO_SETUP_CODE)

A second run restores cards that were changed, and changes nothing else.`;

async function main(): Promise<void> {
  const { env } = process;
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      'setup-code': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    print(HELP);
    return;
  }
  const url = values.url ?? (env.LINTEL_DEMO_URL || 'http://localhost:8920');
  const email = values.email ?? (env.LINTEL_DEMO_EMAIL || EMAIL);
  const api = new DemoClient(url);
  const made = await enter(
    api,
    email,
    values.password ?? (env.LINTEL_DEMO_PASSWORD || undefined),
    values['setup-code'] ?? (env.LINTEL_DEMO_SETUP_CODE || undefined),
  );

  const began = performance.now();
  const landscape = buildLandscape();
  const { users, cards, relations, involvements } = landscape;
  const report = await storeLandscape(
    api,
    landscape,
    new Progress(process.stdout, users.length + cards.length + relations.length + involvements.length),
  );
  const changed = [report.users, report.cards, report.relations, report.roles].some((tally) =>
    Object.keys(tally).some((outcome) => outcome !== 'unchanged'),
  );
  print();
  print(
    `Aldermoor Rail: ${cards.length} cards, ${relations.length} relations, ${users.length} people in ${((performance.now() - began) / 1_000).toFixed(1)} s${changed ? '' : '; all of it was there'}.`,
  );
  for (const line of report.refused.slice(0, REFUSALS_SHOWN)) print(`refused: ${line}`);
  if (report.refused.length > 0) {
    print(
      `${report.refused.length} were refused (cards: ${words(report.cards)}; relations: ${words(report.relations)}).`,
    );
    process.exitCode = 1;
  }
  const login = JSON.stringify({ email, password: made ?? '<password>' });
  print('Try:');
  print(
    `  token=$(curl -s ${url}/api/v1/auth/login -H 'Content-Type: application/json' -d '${login}' | node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).access_token")`,
  );
  print(`  curl -s "${url}/api/v1/cards?type=Application&search=ticket" -H "Authorization: Bearer $token"`);
}

// The reader of the output may close the pipe: `npm run demo | head`.
process.stdout.on('error', () => undefined);
try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
