/** One server-sent event. */
export interface ServerEvent {
  /** Empty for an event without a name. */
  name: string;
  data: string;
}

/** A stream whose lines are longer than the protocol of any provider needs. */
export class StreamTooLong extends Error {}

/**
 * Reads server-sent events as their bytes arrive (https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.6).
 * An event that the end of the stream cuts off is dropped.
 * @param mostCharacters of one event
 * @throws StreamTooLong
 */
export async function* serverEvents(
  chunks: AsyncIterable<Buffer>,
  mostCharacters: number,
): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder();
  let rest = '';
  let name = '';
  let data: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const isHalf = rest.endsWith('\r');
    const text = decoder.decode(chunk, { stream: true });
    rest += text;
    // A line that arrives in many chunks is not searched again for each of them.
    if (!isHalf && rest.length <= mostCharacters && !/[\r\n]/.test(text)) continue;
    // A CR at the end may be the first half of CRLF.
    const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const lines = complete.split(/\r\n|\n|\r/);
    rest = lines.pop()! + rest.slice(complete.length);
    if (rest.length > mostCharacters) throw new StreamTooLong();
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { name, data: data.join('\n') };
        [name, data, size] = ['', [], 0];
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line)!;
      if (field === 'event') name = value;
      if (field !== 'data') continue;
      size += value.length;
      if (size > mostCharacters) throw new StreamTooLong();
      data.push(value);
    }
  }
}
