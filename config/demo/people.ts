/** Employees of Aldermoor Rail, by initials; the e-mail address is derived from the name. */
export interface Person {
  name: string;
  role: 'architect' | 'member' | 'viewer';
}

export const people: Record<string, Person> = {
  IS: { name: 'Ingrid Solberg', role: 'architect' },
  TB: { name: 'Tomasz Baranowski', role: 'architect' },
  LC: { name: 'Lucía Carrasco', role: 'architect' },
  HW: { name: 'Henrike Wolters', role: 'member' },
  DO: { name: 'Daniel Okafor', role: 'member' },
  MF: { name: 'Maeve Fitzgerald', role: 'member' },
  JN: { name: 'Jonas Nyström', role: 'member' },
  AP: { name: 'Aisha Patel', role: 'member' },
  RK: { name: 'Rasmus Kjær', role: 'member' },
  EV: { name: 'Elena Vasilakis', role: 'member' },
  CB: { name: 'Clément Baudry', role: 'member' },
  SM: { name: 'Sanne Meijer', role: 'member' },
  GT: { name: 'Giulia Tommasi', role: 'member' },
  NH: { name: 'Nadia Haddad', role: 'member' },
  PW: { name: 'Piotr Wiśniewski', role: 'member' },
  OB: { name: 'Orla Brennan', role: 'member' },
  VK: { name: 'Viktor Kovács', role: 'member' },
  YT: { name: 'Yuki Tanaka', role: 'member' },
  FL: { name: 'Freya Lindqvist', role: 'viewer' },
  BG: { name: 'Bram Goossens', role: 'viewer' },
  KD: { name: 'Katarina Dvořák', role: 'viewer' },
  AM: { name: 'Adrian Müller', role: 'viewer' },
};

/** Such as ingrid.solberg@aldermoor-rail.example: a reserved top-level domain that never resolves. */
export const addressOf = ({ name }: Person): string =>
  `${name
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '.')}@aldermoor-rail.example`;
