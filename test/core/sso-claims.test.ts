/** What claims of providers mean that cannot answer in a test, and where browsers may be sent. */
import t from 'tap';
import { BrowserCookie } from '../../core/identity/sso/binding.js';
import { claimedBy, lacksClaims, mappedRole, mergedClaims } from '../../core/identity/sso/claims.js';
import type { SsoProvider } from '../../core/identity/sso/provider.js';
import { ReturnAddresses } from '../../core/identity/sso/return-to.js';

const provider = (more: Partial<SsoProvider>): SsoProvider => ({
  id: 'company',
  kind: 'oidc',
  label: 'Company',
  issuer: 'https://login.example.org',
  client_id: 'lintel',
  secret: undefined,
  scopes: [],
  token_auth: 'auto',
  allowed_domains: [],
  groups_claim: null,
  role_map: [],
  unmapped: 'refuse',
  ...more,
});
const claims = (more: object) => ({ sub: 's', email: 'ada@example.org', email_verified: true, ...more });

t.test('Microsoft Entra ID says by xms_edov that an address is verified', async (t) => {
  const entra = provider({ kind: 'microsoft' });
  for (const xms_edov of [true, 1, '1', 'true'])
    t.equal(claimedBy(claims({ email_verified: undefined, xms_edov }), entra).email, 'ada@example.org');
  for (const xms_edov of [undefined, false, 0, '0', null, {}])
    t.throws(() => claimedBy(claims({ email_verified: undefined, xms_edov }), entra), {
      message: /^email_not_verified/,
    });
  const other = claims({ email_verified: undefined, xms_edov: true });
  t.throws(() => claimedBy(other, provider({})), { message: /^email_not_verified/ }, 'other providers do not');
});

t.test('a Google account must belong to an organisation with the domain', async (t) => {
  const google = provider({ kind: 'google', allowed_domains: ['example.org'] });
  t.equal(claimedBy(claims({ hd: 'Example.org' }), google).subject, 's');
  for (const hd of [undefined, 'example.com', true])
    t.throws(() => claimedBy(claims({ hd }), google), { message: /^domain_not_allowed/ });
});

t.test('an e-mail address and what says that it is verified are of one source', async (t) => {
  const userInfo = { sub: 's', email: 'user@example.org', email_verified: true, groups: ['a'] };
  const address = (idToken: object) => {
    const { email, email_verified, xms_edov } = mergedClaims({ sub: 's', ...idToken }, userInfo);
    return [email, email_verified, xms_edov];
  };
  t.strictSame(address({ email: 'chosen@example.org' }), ['user@example.org', true, undefined]);
  t.strictSame(address({ email_verified: true }), ['user@example.org', true, undefined]);
  t.strictSame(address({ xms_edov: true }), ['user@example.org', true, undefined]);
  const own = { email: 'chosen@example.org', email_verified: false };
  t.strictSame(address(own), ['chosen@example.org', false, undefined], 'the ID token decides where it has both');
  const edov = { email: 'entra@example.org', xms_edov: true };
  t.strictSame(address(edov), ['entra@example.org', undefined, true]);
  const without = mergedClaims({ sub: 's', email: 'chosen@example.org' }, { sub: 's', email_verified: true });
  t.equal(without.email_verified, undefined, 'of no address');
  t.strictSame(mergedClaims({ sub: 's', groups: ['b'] }, userInfo).groups, ['b']);
  t.equal(lacksClaims(edov, provider({ kind: 'microsoft' })), false, 'Microsoft is not asked again');
  t.equal(lacksClaims({ email: 'a@example.org' }, provider({})), true);
  const grouped = provider({ groups_claim: 'constructor', role_map: [{ group: 'a', role: 'member' }] });
  t.equal(lacksClaims(own, grouped), true, 'groups are looked for by any name');
});

t.test('a browser keeps ten cookies of sign-ins: many would make its requests too large', async (t) => {
  const cookies = new BrowserCookie('https://lintel.example');
  const names = Array.from({ length: 12 }, (_, n) => cookies.name(Buffer.alloc(32, n)));
  const header = ['session=a', ...names.map((name) => `${name}=${'x'.repeat(43)}`), '__Host-lintel-sso-other=b'].join(
    '; ',
  );
  const removed = cookies.clearOldest(header);
  t.strictSame(
    removed.map((cookie) => cookie.split(';', 1)[0]),
    names.slice(0, 3).map((name) => `${name}=`),
  );
  t.match(removed[0], /; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/);
  t.strictSame(cookies.clearOldest(undefined), []);
  t.strictSame(cookies.clearOldest(names.slice(0, 9).join('; ')), []);
});

t.test('groups', async (t) => {
  const grouped = provider({
    groups_claim: 'groups',
    role_map: [
      { group: 'x', role: 'viewer' },
      { group: 'a', role: 'member' },
      { group: 'b', role: 'architect' },
    ],
  });
  const groupsOf = (groups: unknown) => claimedBy(claims({ groups }), grouped).groups;
  t.strictSame(groupsOf(['b', 'a']), ['b', 'a']);
  t.strictSame(groupsOf('a'), ['a'], 'one as text');
  const odd = ['a', 'a', 'x'.repeat(300), 'x'.repeat(301), 'a\0', '\ud800'];
  t.strictSame(groupsOf(odd), ['a', 'x'.repeat(300)], 'what no map can name is left out');
  t.strictSame(groupsOf(undefined), []);
  for (const bad of [{ a: 1 }, [1], null, 5, Array.from({ length: 5_001 }, String)])
    t.throws(() => groupsOf(bad), { message: /^bad_groups/ });
  t.throws(() => claimedBy(claims({ _claim_names: { groups: 'src1' } }), grouped), { message: /^groups_not_sent/ });
  t.equal(mappedRole(['b', 'a'], grouped), 'member', 'the order of the map decides');
  t.equal(mappedRole(['A', 'constructor'], grouped), undefined);
  t.equal(
    claimedBy(claims({ groups: ['a'] }), provider({ groups_claim: 'groups' })).groups,
    undefined,
    'without a map',
  );
});

t.test('names are one line of at most 200 characters', async (t) => {
  const nameOf = (more: object) => claimedBy(claims(more), provider({})).name;
  t.equal(nameOf({ name: ' Ada\n\u0000  Lovelace\u2028' }), 'Ada Lovelace');
  t.equal(nameOf({ name: '\u0007', preferred_username: 'ada' }), 'ada');
  t.equal(nameOf({ name: 5 }), 'ada@example.org');
  t.equal(nameOf({ name: 'x'.repeat(500) }).length, 200);
  t.equal(nameOf({ name: `${'x'.repeat(199)}\u{1f600}` }).isWellFormed(), true);
  for (const sub of ['', 'x'.repeat(256), 'a\nb', 'ä', 5, undefined])
    t.throws(() => claimedBy(claims({ sub }), provider({})), { message: /^bad_subject/ });
});

t.test('return addresses are below PUBLIC_URL, also if it has a path, or on allowed origins', async (t) => {
  const returns = new ReturnAddresses('https://example.org/lintel', ['https://spa.example']);
  const cases: [given: string | undefined, address: string | undefined][] = [
    [undefined, 'https://example.org/lintel/'],
    ['/', 'https://example.org/lintel/'],
    ['/cards?a=b', 'https://example.org/lintel/cards?a=b'],
    ['https://example.org/lintel/x', 'https://example.org/lintel/x'],
    ['https://example.org/lintel', 'https://example.org/lintel'],
    ['https://spa.example/any/path', 'https://spa.example/any/path'],
    ['https://example.org/', undefined],
    ['https://example.org/lintel-other', undefined],
    ['https://example.org/lintel/../admin', undefined],
    ['/../admin', undefined],
    ['/%2e%2e/admin', undefined],
    ['//spa.example/', undefined],
    ['/\\spa.example', undefined],
    ['/\tx', undefined],
    ['https://spa.example.evil.example/', undefined],
    ['https://spa.example:8443/', undefined],
    ['http://spa.example/', undefined],
    ['https://user@example.org/lintel/', undefined],
    ['https://example.org/lintel/#x', undefined],
    ['javascript:alert(1)', undefined],
    ['cards', undefined],
    ['', undefined],
  ];
  for (const [given, address] of cases)
    if (address === undefined) t.throws(() => returns.check(given), { message: /invalid field/ }, String(given));
    else t.equal(returns.check(given), address, String(given));
});
