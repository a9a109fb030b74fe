/** The style of a cell: `name;key=value;…`, in the order and with the spelling of the file. */

/** A part of a style: a key with its value, or without one the name of a style. An empty key is an empty part. */
export interface StyleEntry {
  key: string;
  value?: string;
}
export type Style = StyleEntry[];

/** Reads a style; `undefined` is a cell without one. `formatStyle` gives the same text back. */
export function parseStyle(text: string | undefined): Style {
  if (text === undefined) return [];
  return text.split(';').map((part) => {
    const at = part.indexOf('=');
    return at < 0 ? { key: part } : { key: part.slice(0, at), value: part.slice(at + 1) };
  });
}

/** The text of a style; `undefined` for one without parts. */
export function formatStyle(style: Style): string | undefined {
  if (style.length === 0) return undefined;
  return style.map(({ key, value }) => (value === undefined ? key : `${key}=${value}`)).join(';');
}

/** The value of a key; the last one applies, as in draw.io. */
export function styleValue(style: Style, key: string): string | undefined {
  return style.findLast((entry) => entry.key === key && entry.value !== undefined)?.value;
}

/** Sets the value of a key in its place, or at the end; `undefined` removes it. A `;` of the value is left out. */
export function setStyle(style: Style, key: string, value: string | undefined): void {
  const at = style.findLastIndex((entry) => entry.key === key && entry.value !== undefined);
  const clean = value?.replaceAll(';', '');
  if (clean === undefined) {
    const kept = style.filter((entry) => entry.key !== key || entry.value === undefined);
    style.splice(0, style.length, ...kept);
  } else if (at >= 0) style[at]!.value = clean;
  else if (style.at(-1)?.key === '' && style.at(-1)?.value === undefined)
    style.splice(style.length - 1, 0, { key, value: clean });
  else style.push({ key, value: clean });
}

/** Names of styles, such as `ellipse` or `text`, and keys with their values, later ones instead of earlier ones. */
export function resolvedStyle(style: Style): { names: string[]; values: Map<string, string> } {
  const names: string[] = [];
  const values = new Map<string, string>();
  for (const { key, value } of style) {
    if (value !== undefined) values.set(key, value);
    else if (key !== '') names.push(key.trim());
  }
  return { names, values };
}
