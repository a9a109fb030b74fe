/** JSON of other systems is parsed in pieces: with the result of JSON.parse for every text, valid or not. */
import t from 'tap';
import { JsonRefusal, parseInSlices } from '../../core/foundation/http/sliced-json.js';

const NO_LIMIT = { values: Number.POSITIVE_INFINITY };

/** A repeatable sequence of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const TEXTS = ['', 'a', '"', '\\', '[', '{', ']', '}', ',', ':', ' ', '\\"', 'ü€😀', '\u0000', 'x'.repeat(40_000)];
const KEYS = ['__proto__', 'constructor', '1', '07', 'key', 'toJSON', '"', 'ü'];

/** A random value of about so many values. */
function valueOf(random: () => number, size: number, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  if (size <= 1 || depth > 12)
    return pick([null, true, false, 0, -1.5e-7, 1e30, 12_345_678, ...TEXTS.slice(0, 14), '']);
  const parts = Math.max(1, Math.floor(random() * Math.min(size, random() < 0.2 ? size : 6)));
  // The first part gets most, so that long parts are inside of long ones.
  const inner = Array.from({ length: parts }, (_, i) =>
    valueOf(random, i === 0 && parts < 6 ? size * 0.7 : (size * 0.3) / parts, depth + 1),
  );
  if (random() < 0.02) return pick(TEXTS);
  if (random() < 0.5) return inner;
  return Object.fromEntries(inner.map((one, i) => [random() < 0.2 ? pick(KEYS) : `member ${i}`, one]));
}

/** The text of a value with white space between its parts. */
const textOf = (value: unknown, random: () => number): string =>
  random() < 0.5 ? JSON.stringify(value) : JSON.stringify(value, null, Math.ceil(random() * 3));

async function outcome(work: () => unknown): Promise<{ json: string } | 'invalid'> {
  try {
    return { json: JSON.stringify(await work()) };
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid';
    throw error;
  }
}

t.test('long texts have the values that JSON.parse gives them', async (t) => {
  const random = randomFrom(41);
  let longest = 0;
  for (let round = 0; round < 40; round++) {
    const text = textOf(valueOf(random, 20_000), random);
    longest = Math.max(longest, text.length);
    const value = await parseInSlices(Buffer.from(text), NO_LIMIT);
    if (JSON.stringify(value) !== JSON.stringify(JSON.parse(text))) t.fail(`round ${round}, ${text.length} characters`);
  }
  t.ok(longest > 300_000, `${longest} characters`);
  const proto = `{"__proto__":{"polluted":true},"pad":"${'x'.repeat(70_000)}","__proto__":[${'1,'.repeat(40_000)}1]}`;
  const value = (await parseInSlices(Buffer.from(proto), NO_LIMIT)) as object;
  t.equal(Object.getPrototypeOf(value), Object.prototype);
  t.ok(Object.hasOwn(value, '__proto__'));
});

t.test('texts that are broken anywhere are refused where JSON.parse refuses them', async (t) => {
  const random = randomFrom(43);
  const SIGNS = ['"', ',', ':', '[', ']', '{', '}', '\\', ' ', '1', 'x', '\n', ''];
  const found = { valid: 0, invalid: 0 };
  for (let round = 0; round < 400; round++) {
    const text = textOf(valueOf(random, 5_000), random);
    const at = Math.floor(random() * text.length);
    // Brackets and commas of long parts decide where pieces end.
    const near = random() < 0.7 ? Math.max(text.indexOf(SIGNS[Math.floor(random() * 7)]!, at), 0) : at;
    const sign = SIGNS[Math.floor(random() * SIGNS.length)]!;
    const broken = text.slice(0, near) + sign + text.slice(near + (random() < 0.5 ? 1 : 0));
    const [own, plain] = [
      await outcome(() => parseInSlices(Buffer.from(broken), NO_LIMIT)),
      await outcome(() => JSON.parse(broken)),
    ];
    found[plain === 'invalid' ? 'invalid' : 'valid']++;
    if (JSON.stringify(own) !== JSON.stringify(plain))
      t.fail(`round ${round}: ${JSON.stringify(broken.slice(Math.max(0, near - 40), near + 40))}`);
  }
  t.ok(found.valid > 50 && found.invalid > 150, JSON.stringify(found));
});

t.test('what is missing between long parts', async (t) => {
  const long = `[${'1,'.repeat(40_000)}1]`;
  for (const text of [
    `[${long}${long}]`,
    `[${long},]`,
    `[,${long}]`,
    `[${long},,${long}]`,
    `[${long} x]`,
    `[x ${long}]`,
    `{${long}}`,
    `{"a"${long}}`,
    `{"a":${long}"b":1}`,
    `{"a":${long},}`,
    `{"a":1 "b":${long}}`,
    `{"a":"b":${long}}`,
    `{"a":${long}]`,
    `[${long}}`,
    `[${long}`,
    `${long}]`,
    `${long}${long}`,
    `${long},`,
    `x${long}`,
    `${long}x`,
    `[${'1,'.repeat(40_000)}]`,
    `[${' '.repeat(80_000)},1]`,
    `{${' '.repeat(80_000)},"a":1}`,
    '',
    ' ',
    '"',
    '"\\',
  ]) {
    const name = `${text.slice(0, 6)}…${text.slice(-6)}`;
    await t.rejects(parseInSlices(Buffer.from(text), NO_LIMIT), SyntaxError, name);
    t.throws(() => JSON.parse(text), SyntaxError, name);
  }
  for (const text of [`[${' '.repeat(80_000)}]`, ` {${' '.repeat(80_000)}} `, `\n${long}\t`, `"${'x'.repeat(80_000)}"`])
    t.strictSame(await parseInSlices(Buffer.from(text), NO_LIMIT), JSON.parse(text));
});

t.test('values, levels and members are limited', async (t) => {
  const parsed = (text: string, values = 1_000_000) => parseInSlices(Buffer.from(text), { values });
  t.strictSame(await parsed('[1,2,3]', 4), [1, 2, 3]);
  await t.rejects(parsed('[1,2,3,4]', 4), new JsonRefusal('has more than 4 values'));
  await t.rejects(parsed(`[${'[],'.repeat(600_000)}[]]`), { message: 'has more than 1000000 values' });
  await parsed(`${'['.repeat(64)}${']'.repeat(64)}`);
  await t.rejects(parsed('['.repeat(65)), { message: 'is nested deeper than 64 levels' });
  const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join()}}`;
  t.equal(Object.keys((await parsed(members(100_000))) as object).length, 100_000);
  await t.rejects(parsed(members(100_001)), { message: 'has an object of more than 100000 members' });
});
