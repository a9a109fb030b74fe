/** What a process is sent for an order. */
export interface OrderMessage {
  /** URL of the script that answers it. */
  script: string;
  /** Font files of the operator. */
  fonts: readonly string[];
  order: unknown;
}

/** What it is sent to load a script before the first order for it; it does not answer. */
export interface LoadMessage {
  script: string;
}

/** The first message of the process. */
export interface BeginMessage {
  /** Its process id, since the service has started it by a shell. */
  pid: number;
  /** What it has reserved; undefined on systems without /proc. */
  reservedKb: number | undefined;
}

/** What the process sends back for an order. */
export interface ReplyMessage {
  /** A serialised `Reply`, so that its size is known before it is sent. */
  reply: Uint8Array;
  /** Memory of the process in bytes, after the order. */
  rss: number;
}

/** The outcome of an order. */
export type Reply = { answer: unknown } | { error: unknown };
