import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Environment } from '../../config/schema.js';
import { client, until } from '../support/app.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** The shell blocks of the README. */
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text!);

const START_MS = 60_000;
const STEP_MS = 20_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Starts a process and collects its output. */
function run(command: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exited = new Promise<number | null>((done) => child.once('close', done));
  return { child, exited, output: () => output };
}

/** A prefix of PATH: empty if curl exists, else a folder with a replacement of curl. */
async function withCurl(folder: string): Promise<string> {
  if (spawnSync('curl', ['--version']).status === 0) return '';
  const standIn = fileURLToPath(new URL('curl.js', import.meta.url));
  await writeFile(join(folder, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${standIn}' "$@"\n`, { mode: 0o755 });
  return `${folder}:`;
}

t.test('the steps of the README work as written', async (t) => {
  t.match(blocks[0], /^npm ci\nnpm start\n$/, 'the two commands that start it');
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'lintel-readme-'));
  // If root starts it, PostgreSQL runs under another account, which must be able to enter the folder.
  await chmod(dataDir, 0o755);
  // Variables that the README does not mention are not set; requests to localhost use no proxy.
  const inherited = Object.entries(process.env).filter(([name]) => !(name in Environment.properties));
  const env = {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    DATA_DIR: dataDir,
    NO_PROXY: 'localhost',
    no_proxy: 'localhost',
  };
  const origin = `http://127.0.0.1:${port}`;

  const service = run('npm', ['start'], env);
  const shell = run('sh', [], { ...env, PATH: `${await withCurl(dataDir)}${process.env.PATH ?? ''}` });
  t.teardown(async () => {
    shell.child.kill();
    service.child.kill('SIGTERM');
    await service.exited;
    await rm(dataDir, { recursive: true, force: true });
  });
  let isOver = false;
  void service.exited.then(() => {
    isOver = true;
  });
  await until(async () => {
    if (isOver) throw new Error(`the service ended:\n${service.output()}`);
    return (await fetch(`${origin}/api/ready`).catch(() => undefined))?.ok;
  }, START_MS);

  let steps = 0;
  /** Runs text in the shell and waits until it is done. @returns its output */
  const paste = async (text: string): Promise<string> => {
    const from = shell.output().length;
    const mark = `-- done ${++steps} --`;
    shell.child.stdin.write(`${text}\necho '${mark}'\n`);
    await until(() => shell.output().includes(mark), STEP_MS);
    return shell.output().slice(from);
  };
  const [
    ,
    register,
    card,
    stream,
    change,
    reports,
    flow,
    diagram,
    plan,
    statement,
    sync,
    insight,
    stop,
    logIn,
    ...more
  ] = blocks as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  t.same(more, [], 'every block is pasted here');

  t.match(await paste(register), /role: 'admin'/, 'the first user is the administrator');
  t.match(await paste(card), /name: 'Billing'[^]*total: 1\b/, 'a card is made, shown and listed');
  const [id, token] = (await paste('echo "$card $token"')).split(/\s/) as [string, string];
  const api = client(origin, token).get;
  t.match((await api(`/cards/${id}`)).body, { type: 'Application', name: 'Billing', version: 1 }, 'the card is there');
  const began = shell.output().length;
  await paste(stream);
  const hasPrinted = (type: string): boolean => {
    const frame = new RegExp(`^event: ${type}\ndata: (.*)$`, 'm').exec(shell.output().slice(began));
    return frame !== null && (JSON.parse(frame[1]!) as { subject: string }).subject === id;
  };
  await until(() => hasPrinted('card.created'), STEP_MS);
  t.pass('the stream tells of the card from the beginning of the log');
  t.match(await paste(change), /version: 2\b/, 'the card is changed');
  await until(() => hasPrinted('card.updated'), STEP_MS);
  t.pass('and of the change as it happens');
  t.match(await paste(change), /status: 412,[^]*current_version: 2/, 'the same change once more is refused');
  t.match((await api(`/cards/${id}`)).body, {
    description: 'Issues and sends invoices',
    lifecycle: { active: '2024-01-01' },
    version: 2,
  });

  const shown = await paste(reports);
  t.match(shown, /type: 'Application'[^]*count: 1/, 'the dashboard counts the card');
  t.match(shown, /'dashboard'[^]*'risks.heat-map'/, 'the catalogue has the reports of all modules');
  await paste(flow);
  await paste(diagram);
  t.match(await paste(plan), /2026-03-18/, 'the schedule is computed');
  await paste(statement);
  t.match(await paste(sync), /'netbox'[^]*'servicenow'/, 'the mappings that ship with it are listed');
  t.match(await paste(insight), /(queued|running|done)\n/, 'an analysis is started');
  for (const [name, content] of [
    ['portfolio.svg', /^<svg /],
    ['flow.svg', /^<svg [^]*startEvent/],
    ['landscape.drawio', /^<mxfile [^]*Billing/],
    ['gantt.svg', /^<svg [^]*Switch over/],
    ['statement.docx', /^PK/],
  ] as const) {
    const file = join(root, name);
    t.match(readFileSync(file, 'utf8'), content, `${name} is stored`);
    rmSync(file);
  }

  await paste(stop);
  await paste(logIn);
  const later = (await paste('echo "$token"')).split('\n')[0]!;
  t.not(later, token, 'logging in gives another token');
  t.match((await client(origin, later).get('/auth/me')).body, { role: 'admin' }, 'which is good');

  service.child.kill('SIGTERM');
  await service.exited;
  t.match(service.output(), /"msg":"stopped"/, 'it stops in good order');
});

t.test('the README lists variables with their defaults', async (t) => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)];
  t.ok(rows.length > 5, 'there is a table of them');
  for (const [, name, value] of rows) {
    const variable = (Environment.properties as Record<string, { default?: unknown }>)[name!];
    t.ok(variable, `${name} is one`);
    t.equal(value ?? '', String(variable?.default ?? ''), `default of ${name}`);
  }
});

t.test('targets of links in the documentation exist', async (t) => {
  const ofModules = readdirSync(join(root, 'plugins'))
    .map((module) => `plugins/${module}/README.md`)
    .filter((file) => existsSync(join(root, file)));
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  for (const file of [...readdirSync(root).filter((name) => name.endsWith('.md')), ...inDocs, ...ofModules]) {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```.*?^```$/gms, '');
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link!)) continue;
      const [path, anchor] = link!.split('#') as [string, string | undefined];
      const target = path === '' ? join(root, file) : resolve(root, dirname(file), path);
      t.ok(existsSync(target), `${file}: ${link}`);
      if (anchor !== undefined && existsSync(target))
        t.ok(anchors(readFileSync(target, 'utf8')).has(anchor), `${file}: ${link}`);
    }
  }
});

/** The anchors of the headings of a page. */
function anchors(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
