import type { Identity } from '../../identity/identity.js';

/** Whether somebody wants a kind by each of the ways there are; what is absent is as the kind has it. */
export interface Channels {
  in_app?: boolean;
  email?: boolean;
}
/** By kind; only what differs from the defaults. */
export type StoredPreferences = Readonly<Record<string, Channels>>;

/** Somebody who may be told: an active user, with the permissions of now. */
export interface Recipient {
  id: string;
  identity: Identity;
  preferences: StoredPreferences;
  /** Whether mail can reach him: a person, in a workspace with a mail server. */
  takesMail: boolean;
}

export interface Subject {
  kind: string;
  id: string;
  type: string | null;
  name: string | null;
}

/** Something one user is told, before it is stored. */
export interface Notice {
  userId: string;
  kind: string;
  /** Notices of one user, kind and group are one, which counts them. */
  group: string;
  /** Of the last event it stands for; null where it comes from a module. */
  position: number | null;
  subject: Subject;
  actor: { id: string; name: string } | null;
  /** Of a module. */
  title: string | null;
  link: string | null;
  count: number;
  /** What the title is made of: words of ours, names of fields, never their values. */
  data: NoticeData;
  /** Set where it must not be mailed, whatever its receiver prefers. */
  neverMailed?: boolean;
}

export interface NoticeData {
  /** What happened, in a word; `mixed` where a group has several. */
  verb?: string;
  /** Label of a stakeholder role. */
  role?: string;
  /** Names of the fields that changed, costs left out. */
  fields?: readonly string[];
}
