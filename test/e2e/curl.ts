/**
 * A replacement of curl with the options that the README uses, for machines without curl: `-s`, `-N`, `-X`, `-H`, `-d`
 * and a URL. The test of the README adds it to the PATH of its shell.
 */
import { request } from 'node:http';

const given = process.argv.slice(2);
const headers: Record<string, string> = {};
let method: string | undefined;
let body: string | undefined;
let url: string | undefined;
for (let at = 0; at < given.length; at++) {
  const word = given[at]!;
  const next = (): string => given[++at] ?? '';
  if (word === '-H') {
    const [name, ...rest] = next().split(':');
    headers[name!] = rest.join(':').trim();
  } else if (word === '-X') method = next();
  else if (word === '-d') body = next();
  else if (/^-[sN]+$/.test(word)) continue;
  else if (word.startsWith('-')) throw new Error(`${word} is not understood`);
  else url = word;
}
const call = request(url ?? '', { method: method ?? (body === undefined ? 'GET' : 'POST'), headers }, (response) =>
  response.pipe(process.stdout),
);
call.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 7;
});
call.end(body);
