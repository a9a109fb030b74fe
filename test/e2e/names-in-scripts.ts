/**
 * Cards with names in many scripts, and the search texts that find them. The sources have few such names.
 */
import type { ExpectedCard } from './expected-inventory.js';

interface Written {
  name: string;
  alias?: string;
  description?: string;
  /** Searches that find the card: in the other case, with and without accents, composed and decomposed, by parts. */
  found: string[];
  /** Searches that do not find it. */
  missed?: string[];
}

const WRITTEN: Written[] = [
  // Cyrillic; the stress marks are combining acute accents.
  {
    name: 'Учётная система «Ёлка»',
    description: 'Расче\u0301ты с поставщиками',
    found: [
      'УЧЁТНАЯ',
      'учетная',
      'елка',
      'ЁЛКА',
      'учетн',
      'четна',
      'расчеты',
      'РАСЧЕ\u0301ТЫ',
      'расчё',
      'ёлка поставщиками',
    ],
    missed: ['счеты', 'ставщиками'],
  },
  {
    name: 'Е\u0301вро-касса',
    alias: 'Зал ожидания № 5',
    found: ['евро', 'ЕВРО', 'е\u0301вро', 'Е\u0301ВРО-КАССА', 'вро', 'no 5 зал', 'ожидан', 'идани'],
    missed: ['евро5'],
  },
  {
    name: 'Йогуртовый завод',
    found: ['йогурт', 'ЙОГУРТ', 'и\u0306огурт', 'иогурт', 'гуртов', 'йо', 'завод йо'],
    missed: ['за'],
  },
  // Greek: the final sigma, and accents that capitals do not have.
  { name: 'Σύστημα Πληρωμών', found: ['ΣΥΣΤΗΜΑ', 'συστημα', 'σύστημα', 'πληρωμων', 'ΠΛΗΡΩΜΩΝ', 'ληρωμ', 'Συ', 'σύ'] },
  {
    name: 'Μητρώο Οδός Σοφός',
    description: 'ΟΔΟΣ ΣΟΦΟΣ, όλες οι οδοί',
    found: ['οδός', 'ΟΔΟΣ', 'οδοσ', 'οδος', 'σοφοσ', 'ΣΟΦΟΣ', 'σοφός', 'μητρωο', 'ολεσ', 'ΌΛΕΣ', 'οδοί'],
    missed: ['λες'],
  },
  // Chinese, Japanese in full and half width, Korean.
  {
    name: '客户关系管理平台',
    description: '用于 销售团队 的系统',
    found: ['客户关系', '关系管理', '管理平台', '客户', '销售团队', '销售团'],
    missed: ['售团队', '关系'],
  },
  {
    name: '顧客管理システム',
    alias: 'コキャクカンリ',
    found: ['顧客管理', 'システム', 'ｼｽﾃﾑ', 'コキャク', 'ｺｷｬｸｶﾝﾘ', '管理シ'],
  },
  { name: 'ｼｽﾃﾑ連携ﾊﾞｯﾁ', found: ['システム連携', 'ｼｽﾃﾑ', 'バッチ', 'ﾊﾞｯﾁ'] },
  { name: '데이터 웨어하우스', found: ['데이터', '웨어하', '하우스', '데이터'.normalize('NFD')], missed: ['데이타'] },
  { name: 'ＥＲＰ２０２６　本番', found: ['erp2026', 'ＥＲＰ', '本番 erp', 'rp20'] },
  // German and Turkish: letters whose length or form changes with case.
  {
    name: 'Straßenverkehrsamt',
    alias: 'GROẞE Maße',
    found: [
      'STRASSENVERKEHRSAMT',
      'straßenverkehr',
      'strassen',
      'STRAẞEN',
      'große',
      'GROSSE',
      'grosse',
      'masse',
      'MASSE',
      'maße',
      'traß',
      'trass',
    ],
    missed: ['strasen'],
  },
  {
    name: 'İstanbul Ödeme Sistemi',
    found: ['istanbul', 'ISTANBUL', 'İSTANBUL', 'i\u0307stanbul', 'odeme', 'ÖDEME', 'O\u0308DEME', 'stanb', 'is', 'İs'],
    missed: ['od'],
  },
  { name: 'Diyarbakır Işık', found: ['DİYARBAKIR', 'diyarbakır', 'diyarbakir', 'IŞIK', 'ışık', 'isik', 'ışı'] },
  // Latin letters with marks, composed and decomposed; letters without a plain form.
  {
    name: 'Cafe\u0301 Zu\u0308rich',
    found: ['café', 'CAFÉ', 'cafe', 'zürich', 'ZURICH', 'Zu\u0308ri', 'urich', 'ca', 'CA'],
  },
  { name: 'Kilo \u212Bngström', found: ['ångström', 'ANGSTROM', 'A\u030Angstro\u0308m', 'angst', 'gstro'] },
  { name: 'Nguyễn Văn Trỗi', found: ['nguyen van troi', 'NGUYỄN', 'Nguye\u0302\u0303n', 'Nguyê\u0303n', 'guye'] },
  { name: 'ﬁnance ﬂow Ⅷ', found: ['finance', 'FINANCE', 'flow', 'viii', 'ﬁn'] },
  {
    name: 'Łódź Ørsted Æther Œuvre',
    found: ['łódź', 'ŁODZ', 'øRSTED', 'ØRSTED', 'æther', 'ÆTHER', 'œuvre', 'ŒUVRE'],
    missed: ['lodz', 'aether'],
  },
  { name: 'H₂O CO²-Bilanz ½', found: ['h2o', 'H₂O', 'co2', 'co² bilanz'] },
  // Scripts with vowel marks, without case, and with other digits.
  { name: 'भुगतान प्रणाली २०२४', description: 'संस्करण ३२', found: ['भुगतान', 'प्रणाली', '२०२४', 'संस्करण', '३२ प्रणाली'] },
  {
    name: 'نظام الدفع ٢٠٢٤',
    description: 'الإصدار ٧٧٧',
    found: ['نظام', 'الدفع', '٢٠٢٤', 'الإصدار', 'الاصدار', '٧٧٧'],
  },
  { name: 'מערכת תשלומים', found: ['מערכת', 'תשלום'.slice(0, 4), 'שלומ'] },
  { name: 'ระบบชำระเงิน', found: ['ระบบ', 'ชำระเงิน', 'ระบบชำระเงิน'] },
  { name: 'საგადახდო სისტემა', found: ['საგადახდო', 'ᲡᲐᲒᲐᲓᲐᲮᲓᲝ', 'სისტ'] },
  { name: 'Վճարային եւ հաշիվներ', found: ['ՎՃԱՐԱՅԻՆ', 'վճար', 'և հաշիվ'] },
  { name: '𐐀𐐁𐐂 Deseret 𝒟ata', found: ['𐐨𐐩𐐪', '𐐀𐐁𐐂', 'deseret', 'data'] },
  // Texts with special meaning for spreadsheets and parsers.
  { name: '=SUM(A1:A9) "quoted", Σ', description: '=1+1', found: ['sum a1 a9', 'quoted', 'SUM('] },
  {
    name: "'=apostrophe",
    alias: '@alias;with\ttab',
    description: '\'\'-twice\nline two, "three"\r\nfour',
    found: ['apostrophe', 'alias tab', 'twice two'],
  },
  {
    name: '+49 30 1234567',
    description: '-1e5 1.5e10 0x1F 10.0.0.1 a@example.org /usr/local/bin http://example.org/päge?x=1&y=2',
    found: [
      '49 1234567',
      '1e5 apostrophe'.split(' ')[0]!,
      '5e10',
      '0x1f',
      'example org',
      'usr local',
      'page',
      'päge',
      '10 0',
    ],
  },
];

/** The cards as expected after the import. */
export const writtenCards: readonly (ExpectedCard & Pick<Written, 'found' | 'missed'>)[] = WRITTEN.map(
  ({ name, alias, description, found, missed }, i) => {
    const external_id = `written-${String(i + 1).padStart(2, '0')}`;
    const options = { dataSensitivity: ['public', 'internal', 'confidential', 'restricted'][i % 4]! };
    return {
      key: `DataObject ${external_id}`,
      type: 'DataObject',
      external_id,
      name,
      subtype: null,
      alias: alias ?? null,
      description: description ?? null,
      parent: null,
      options,
      found,
      ...(missed && { missed }),
    };
  },
);

const cell = (text: string | null): string =>
  `"${(text === null ? '' : /^'*[=+@\t\r-]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** The cards as a table to import; texts that begin a formula are guarded as in an export. */
export const writtenTable = (): string =>
  [
    'type,external_id,name,alias,description,attributes.dataSensitivity',
    ...writtenCards.map((card) =>
      [card.type, card.external_id, card.name, card.alias, card.description, card.options['dataSensitivity']!]
        .map(cell)
        .join(','),
    ),
  ].join('\n');
