/** One message of the conversation. */
export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** What is sent to the model. */
export interface Prompt {
  system: string;
  messages: readonly Message[];
  maxTokens: number;
  /** Whether the answer is a JSON object. */
  isJson: boolean;
  streams: boolean;
}

/** What a part of an answer says; members that it does not mention are absent. */
export interface Part {
  text?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Why it ended: by itself, or by the limit of tokens. */
  end?: 'complete' | 'cut';
  /** The provider reports that it failed. */
  error?: string;
  /** Nothing follows. */
  isLast?: boolean;
}

/** The API of a provider. */
export interface Protocol {
  request(prompt: Prompt): { url: string; headers: Record<string, string>; body: string };
  /** @returns undefined for something that is no answer of this API */
  whole(body: unknown): Part | undefined;
  /** @param data of a server-sent event; @returns undefined if it is no event of this API */
  part(data: string): Part | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none for anything else. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
/** More tokens than any model reads or writes in one request. */
const MOST_TOKENS = 10_000_000;
/** A number of tokens that a provider reports, if it can be one. */
export const tokensOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : undefined;

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of an error object. */
export function errorOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  const { message } = membersOf(error);
  return typeof error === 'string' ? error : typeof message === 'string' ? message : 'the provider reports an error';
}

/** Without the members that are undefined. */
export function known(part: { [K in keyof Part]: Part[K] | undefined }): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}
