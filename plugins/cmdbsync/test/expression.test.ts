import t from 'tap';
import { compileExpression } from '../transforms/expression.js';

const RECORD = {
  name: 'srv-01',
  count: 3,
  status: { value: 'active', label: 'Active' },
  tags: [{ name: 'prod' }, { name: 'edge' }],
  words: ['a', 'b'],
  empty: null,
  long: 'x'.repeat(30_000),
  list: Array.from({ length: 5_000 }, (_, i) => `item ${i}`),
};

const run = (text: string, value: unknown = null): unknown => compileExpression(text).evaluate(RECORD, value, '7');

t.test('expressions', (t) => {
  const cases: [string, unknown][] = [
    ['record.name', 'srv-01'],
    ['record["name"] + "!"', 'srv-01!'],
    ['(record.name + "-" + record.status.value).upperAscii()', 'SRV-01-ACTIVE'],
    ['record.status.value == "active" ? "active" : "plan"', 'active'],
    ['record.tags.exists(t, t.name == "edge")', true],
    ['record.tags.map(t, t.name).join(", ")', 'prod, edge'],
    ['record.tags.filter(t, t.name.startsWith("p")).map(t, t.name)[0]', 'prod'],
    ['record.tags.map(t, t.name + "@" + record.name)', ['prod@srv-01', 'edge@srv-01']],
    ['has(record.status.label)', true],
    ['has(record.nothing)', false],
    ['size(record.words)', 2],
    ['record.count + 1.0', 4],
    ['int(record.count) + 1', 4],
    ['value', 'x'],
    ['"Device " + id', 'Device 7'],
    ['record.name.matches("^srv-\\\\d+$")', true],
    ['record.name.matches("^web")', false],
    ['record.empty == null', true],
    ['{"a": record.name, "b": record.words}', { a: 'srv-01', b: ['a', 'b'] }],
    ['record.words + ["c"]', ['a', 'b', 'c']],
    ['timestamp("2026-01-15T00:00:00Z")', '2026-01-15T00:00:00.000Z'],
    ['!(record.count > 2.0) || "a" in record.words', true],
    ['-record.count', -3],
  ];
  for (const [text, expected] of cases) t.same(run(text, 'x'), expected, text);
  t.same(compileExpression('record.a.b + record["c.d"] + (has(record.e) ? record.e : "")').sources, ['a', 'c.d', 'e']);
  t.end();
});

t.test('errors of one record', (t) => {
  t.throws(() => run('record.nothing'), { message: /nothing/i });
  t.throws(() => run('record.name + 1'));
  t.throws(() => run('record.constructor'));
  t.throws(() => run('record.__proto__'));
  t.throws(() => run('1 / 0'));
  t.throws(() => run('duration("1s")'), { message: /does not result in/ });
  // The evaluation after one that ended at the limit has all of its units.
  t.throws(() => run('record.list.map(i, record.list)'), { message: /does too much/ });
  t.equal(run('record.name'), 'srv-01');
  t.end();
});

t.test('invalid expressions', (t) => {
  const refused = [
    '',
    'record.',
    'unknown',
    '1 + "a"',
    'record.tags.map(t, record.tags.map(u, u.name))',
    'record.tags.exists(t, t.list.all(u, u == 1))',
    'cel.bind(x, record.name, x + x)',
    'record.name.matches(record.name)',
    'record.name.matches("(")',
    'record.name.matches("(?=a)")',
    'record.words.join(record.long)',
    '_spent(record.name)',
    '_like(record.name, "a")',
    '{record.name + "a": 1}',
    `record.name${' + record.name'.repeat(150)}`,
    '('.repeat(40) + 'record.name' + ')'.repeat(40) + '.size().size()',
    `[${'[1, '.repeat(30)}1${']'.repeat(30)}]`,
    `"${'a'.repeat(2_000)}"`,
  ];
  for (const text of refused) t.throws(() => compileExpression(text), text.slice(0, 60));
  t.end();
});

// The bound is far above what they take, and far below what they would take without the limits.
t.test('no expression takes long', (t) => {
  const double = '.map(v, v + v)'.repeat(20);
  const hostile = [
    `[record.long]${double}`,
    `[record.list]${double}`,
    '[record.list.map(i, i + i + i + i).join(""), record.list.join("")].map(v, v.split(""))',
    'record.list.map(i, record.list.join(",").split(","))',
    'record.list.all(i, record.long.contains(i + record.long))',
    'record.long.split("").map(c, record.long)',
    'record.list.map(i, record)',
    'record.list.exists(i, record.list == record.list && false)',
    'record.long.matches("(a|x)*(a|x)*(a|x)*y")',
    'record.list.exists(i, record.long.matches("((x{1,30}){1,30})+y"))',
    `[${'record.long, '.repeat(40)}""].map(v, v.split("").join("").split("").join(""))`,
    `record.list${' + record.list'.repeat(60)}`,
    'record.list.filter(i, i in record.list && size(record.long) < 0)',
  ];
  for (const text of hostile) {
    let compiled: ReturnType<typeof compileExpression>;
    try {
      compiled = compileExpression(text);
    } catch {
      t.pass(`refused: ${text}`);
      continue;
    }
    const before = process.cpuUsage();
    try {
      compiled.evaluate(RECORD, null, '7');
    } catch (error) {
      t.match(error, { message: /does too much|longer/ }, text);
    }
    const { user, system } = process.cpuUsage(before);
    t.comment(`${Math.round((user + system) / 1_000)} ms: ${text}`);
    t.ok(user + system < 1_000_000, text);
  }
  t.end();
});
