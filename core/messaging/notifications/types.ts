import type { Identity } from '../../identity/identity.js';

/** A user's channels for a kind; an absent member uses the kind's default. */
export interface Channels {
  in_app?: boolean;
  email?: boolean;
}
/** By kind; contains only differences from the defaults. */
export type StoredPreferences = Readonly<Record<string, Channels>>;

/** A possible receiver: an active user with current permissions. */
export interface Recipient {
  id: string;
  identity: Identity;
  preferences: StoredPreferences;
  /** Whether the user can get mail: the account is a person's, and the workspace has a mail server. */
  takesMail: boolean;
}

export interface Subject {
  kind: string;
  id: string;
  type: string | null;
  name: string | null;
}

/** A notification for one user, before it is stored. */
export interface Notice {
  userId: string;
  kind: string;
  /** Notices of one user, kind and group are combined to one with a count. */
  group: string;
  /** Position of its latest event; null where it comes from a module. */
  position: number | null;
  subject: Subject;
  actor: { id: string; name: string } | null;
  /** Given by a module. */
  title: string | null;
  link: string | null;
  count: number;
  /** Data for the title: fixed words and names of fields, never their values. */
  data: NoticeData;
  /** Set where it must not be mailed, regardless of the receiver's preferences. */
  neverMailed?: boolean;
}

export interface NoticeData {
  /** What happened, as one word; `mixed` where a group contains several. */
  verb?: string;
  /** Label of a stakeholder role. */
  role?: string;
  /** Names of the changed fields, without costs. */
  fields?: readonly string[];
}
