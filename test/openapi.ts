/** Lints the OpenAPI document of the service; the runner runs this file like a test. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client, expectStatus, testApp } from './support/app.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

interface Finding {
  ruleId: string;
  severity: string;
  message: string;
  location: { pointer?: string }[];
}

/**
 * Paths that the HTTP contract names, and that no request can take for another one: where they have a word, the other path has
 * the UUID of a user or portal.
 */
const WORDS = ['`/api/v1/users/invitations/{id}`', '`/api/v1/portals/public/{slug}`'];
const isUnambiguous = ({ ruleId, message }: Finding): boolean =>
  ruleId === 'no-ambiguous-paths' && WORDS.some((path) => message.includes(path));

/** @returns the findings of Redocly, one line each, including warnings */
async function lint(document: string): Promise<string[]> {
  const args = [
    join(root, 'node_modules/@redocly/cli/bin/cli.js'),
    'lint',
    document,
    '--config',
    join(root, 'redocly.yaml'),
    '--format',
    'json',
    '--max-problems',
    '1000',
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    // The command also fails because of findings, so that only a missing report is an error.
    execFile(process.execPath, args, { cwd: root, env, maxBuffer: 64 << 20 }, (_error, out, err) =>
      resolve({ stdout: out, stderr: err }),
    );
  });
  if (!stdout.trimStart().startsWith('{')) throw new Error(`Redocly gave no report: ${stdout}${stderr}`);
  const { problems } = JSON.parse(stdout) as { problems: Finding[] };
  return problems
    .filter((finding) => !isUnambiguous(finding))
    .map(
      ({ ruleId, severity, message, location }) =>
        `${severity} ${ruleId} at ${location[0]?.pointer ?? '#'}: ${message}`,
    );
}

const folder = await mkdtemp(join(tmpdir(), 'lintel-openapi-'));
const { origin, close } = await testApp({ config: { environment: 'development' } });
try {
  const answer = expectStatus(await client(origin).get<object>('/api/openapi.json'), 200, 'GET /api/openapi.json');
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(answer.body, null, 1));
  const findings = await lint(file);
  if (findings.length === 0) t.pass('the OpenAPI document is without findings');
  else t.fail(`findings in the OpenAPI document: ${findings.length}`, { findings: findings.join('\n') });
} finally {
  await close();
  await rm(folder, { recursive: true, force: true });
}
