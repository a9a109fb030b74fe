/** What must not leave the workspace: names of persons and amounts in the ways in which texts have them. */
import t from 'tap';
import { excerpt } from '../models/prompt.js';
import { Redaction } from '../models/redaction.js';
import { threadTime } from '../../../test/support/app.js';

const NAMES = ['Ada Lovelace', 'Édouard Müller-Lüdenscheid', "Flann O'Brien", 'Mary Jane Watson'];

t.test('names are found in all their forms', async (t) => {
  for (const text of [
    "Ada Lovelace's server",
    'Ada Lovelace’s server',
    'the Lovelace-Team',
    'ada_lovelace',
    'ada.lovelace',
    'Ada\u200bLovelace',
    'LOVELACE/2',
    'Lovelace, Ada',
    'Edouard Muller-Ludenscheid',
    'Müller-Lüdenscheid, Édouard',
    'E\u0301douard Mu\u0308ller-Lu\u0308denscheid',
    "O'Brien and O’Brien's",
    'Watson, Mary Jane',
  ]) {
    const redaction = new Redaction(NAMES);
    const hidden = redaction.hide(text);
    t.notMatch(
      hidden.normalize('NFKD'),
      /ada|lovelace|douard|ller|denscheid|brien|flann|mary|jane|watson/i,
      `${text}: ${hidden}`,
    );
    t.equal(redaction.restore(hidden), text);
  }
  t.equal(new Redaction(NAMES).hide('Lovelaces do not; 12 Brien; Jane'), 'Lovelaces do not; 12 Brien; Jane');
});

t.test('amounts are found in the ways of several countries', async (t) => {
  for (const [text, rest] of [
    ['5.000,- €', ''],
    ['5.000,-€ p. a.', ' p. a.'],
    ['500 TEUR', ''],
    ['TEUR 500', ''],
    ['500 T€', ''],
    ['2 M€', ''],
    ['kEUR 12', ''],
    ['US$ 5,000', 'US'],
    ['₺ 900 and 900 ₩', ' and '],
    ['1 234 567\u202f€', ''],
    ['300 kr', ''],
    ['Rs. 500', ''],
    ['ZAR 12', ''],
    ['٥٠٠ €', ''],
  ] as const) {
    const redaction = new Redaction([]);
    const hidden = redaction.hide(text);
    t.equal(hidden.replace(/\[A\d\]/g, ''), rest, `${text}: ${hidden}`);
    t.equal(redaction.restore(hidden), text);
  }
});

t.test('a long description takes as long as the part of it that is shown', async (t) => {
  const redaction = new Redaction(NAMES);
  for (const part of ['ada lovelac ', 'a.', 'EUR ', '[P1]']) {
    const text = part.repeat(Math.floor(200_000 / part.length));
    excerpt(redaction, text);
    const began = threadTime();
    excerpt(redaction, text);
    const ms = threadTime() - began;
    t.ok(ms < 20, `${part}: ${ms.toFixed(0)} ms`);
  }
});

t.test('digits of a text are read once', async (t) => {
  const began = threadTime();
  new Redaction(NAMES).hide('1 '.repeat(5_000));
  const ms = threadTime() - began;
  t.ok(ms < 50, `${ms.toFixed(0)} ms`);
});

t.test('a text is redacted before it is cut', async (t) => {
  for (const [secret, leak] of [
    ['Ada Lovelace', /Ada/],
    ['5,000 EUR', /5,0/],
    ['ada@example.org', /ada/],
  ] as const)
    for (let left = 1; left < secret.length; left++) {
      const text = excerpt(new Redaction(NAMES), `${'x'.repeat(999 - left)} ${secret}`)!;
      t.ok(text.length <= 1_000);
      t.notMatch(text, leak, `${secret}: ${left} characters`);
    }
});
