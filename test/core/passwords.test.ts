/** The policy and the hashes of passwords. Runs in a process of its own, with the parameters of the service. */
import t from 'tap';
import { PasswordHasher } from '../../core/identity/passwords/index.js';

const hasher = new PasswordHasher();
const refused = async (password: string, email?: string): Promise<boolean> =>
  await hasher.hashNew(password, '/password', email).then(
    () => false,
    () => true,
  );

t.test('common passwords are refused, also in variations', async (t) => {
  const common =
    `1234567890 123456789a a123456789 0987654321 1122334455 qwertyuiop qwerty12345 QWERTY123456 1q2w3e4r5t 1qaz2wsx3edc zaq12wsxcde3 q1w2e3r4t5 asdfghjkl; asdf1234qwer
    123qweasdzxc qazwsxedcrfv abcdefghij abcd123456 aaaaaaaaaa abcabcabcabc 1212121212 Password123 p@ssw0rd123 Passw0rd2024! PASSWORDPASSWORD password!@# passpass12 iloveyou123 Iloveyou2! letmein2024
    welcome123 Welcome2023!! Summer2024! sunshine123 michael1234 monkey12345 dragon2000 football12 baseball12 basketball manchester liverpool1 chelsea123 christopher jonathan12 alexander1 elizabeth1
    washington california philadelphia strawberry blackberry chocolate1 butterfly1 playstation snowboarding thunderbird metallica1 slipknot666 administrator changeme123 trustno1!! computer123 superman123
    scoobydoo2 evangelion montgomery mercedes123 hellohello godisgood1 babygirl123 princess12 cocacola12 startrek12`
      .trim()
      .split(/\s+/);
  for (const password of common) t.ok(await refused(password), password);
  t.ok(await refused('pass word 123'), 'blanks do not hide it');
  t.ok(await refused('ｐａｓｓｗｏｒｄ１２３'), 'also with other forms of letters');
});

t.test('others are accepted', async (t) => {
  for (const password of [
    'quiet-otter-crosses-7-bridges',
    'Kestrel-harbour-93-lantern',
    'correct horse battery staple',
    'hG7$kd0Lq2vv',
    'Zebra-Quartz-5521',
    'winter-moss-lantern',
    'пароль-из-пяти-слов',
    '🦦🌉🦦🌉🏔🌧🌊🪵🔭🪁',
    'x'.repeat(120) + 'yz'.repeat(68),
  ]) {
    t.notOk(await refused(password), password);
  }
});

t.test('length is counted in characters, between 10 and 256', async (t) => {
  t.ok(await refused('hG7$kd0Lq'));
  t.ok(await refused('🦦🌉🏔🌧🌊'), 'five characters, ten code units');
  t.ok(await refused('hG7$kd0Lq'.repeat(29)));
  t.ok(await refused('Some.One@example.org', 'some.one@Example.org'), 'the e-mail address');
});

t.test(
  'a hash is argon2id and salted, and verifies only the correct password; a missing hash verifies none',
  async (t) => {
    const [a, b] = await Promise.all([hasher.hash('quiet-otter-crosses'), hasher.hash('quiet-otter-crosses')]);
    t.match(a, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    t.not(a, b);
    t.equal(await hasher.verify(a, 'quiet-otter-crosses'), true);
    t.equal(await hasher.verify(a, 'quiet-otter-crosser'), false);
    t.equal(await hasher.verify(null, 'quiet-otter-crosses'), false);
    t.equal(await hasher.verify(await hasher.hash('cafe\u0301-au-lait'), 'café-au-lait'), true, 'composed or not');
  },
);

t.test('hashing leaves the event loop free', async (t) => {
  let turns = 0;
  const counting = setInterval(() => {
    turns++;
  }, 1);
  await Promise.all(Array.from({ length: 12 }, () => hasher.hash('quiet-otter-crosses')));
  clearInterval(counting);
  t.ok(turns >= 3, `${turns} turns`);
});
