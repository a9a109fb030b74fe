/** Each rule on the content of a file: what it reports, where, and that a file without the fault has no problem. */
import t from 'tap';
import { PROBLEM_CODES } from '../notation/problems.js';
import { CONTENT_CASES } from './rule-cases-content.js';
import { FLOW_CASES } from './rule-cases-flow.js';
import { inProcess, nodeTag, read } from './samples.js';

const CASES = [...CONTENT_CASES, ...FLOW_CASES];

for (const { name, faulty, problems, sound } of CASES)
  t.test(`rule: ${name}`, async (t) => {
    const found = read(faulty).problems.map(({ severity, code, line, element_id }) =>
      [severity, code, line, element_id].join(' ').replace(/ $/, ' null'),
    );
    t.strictSame(found, problems);
    t.strictSame(read(sound).problems, []);
  });

t.test('every rule has a case', async (t) => {
  const tested = new Set(CASES.flatMap(({ problems }) => problems.map((problem) => problem.split(' ')[1]!)));
  t.strictSame([...tested, 'more_problems'].sort(), [...PROBLEM_CODES].sort());
});

t.test('messages name what is meant, and long texts are shortened', async (t) => {
  const name = `Pay "now"\n${'x'.repeat(1_000_000)}`;
  const [problem] = read(
    inProcess(`<task id="a" name="${name.replaceAll('"', '&quot;')}" startQuantity="${name.replaceAll('"', '')}"/>`),
  ).problems;
  t.ok(problem!.message.startsWith('startQuantity of this task is "Pay now xxx'), problem!.message);
  t.ok(problem!.message.length < 300);
  const twice = read(inProcess('<task id="a"/>\n<userTask id="a"/>')).problems[0]!.message;
  t.equal(twice, 'The id "a" of this userTask is also the id of the task on line 3.');
});

t.test('a thousand errors and a thousand warnings are listed, and how many there are besides', async (t) => {
  const tasks = Array.from({ length: 1_200 }, (_, i) => `<task id="a${i}" x="1"><outgoing>f</outgoing></task>`).join(
    '\n',
  );
  const { problems } = read(inProcess(`${nodeTag('z')}<sequenceFlow id="f" sourceRef="z" targetRef="z"/>\n${tasks}`));
  const errors = problems.filter(({ severity }) => severity === 'error');
  t.equal(errors.length, 1_001);
  t.match(errors.at(-1), { code: 'more_problems', message: /^200 more/, line: null, element_id: null });
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  t.equal(warnings.length, 1_001);
  t.match(warnings.at(-1), { code: 'more_problems', message: /^200 more/ });
});
