import { createHash } from 'node:crypto';
import type { Host } from '../basics.js';
import type { RenderedDocument } from '../rendering/model.js';

/** The logo that documents have now; null for none. A GIF has no place in a document. */
export async function currentLogo(host: Host): Promise<RenderedDocument['logo']> {
  const logo = host.settings().show_logo ? await host.logo() : undefined;
  return logo && logo.type !== 'image/gif' ? { type: logo.type, bytes: logo.bytes } : null;
}

/** @returns hexadecimal SHA-256 */
export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
