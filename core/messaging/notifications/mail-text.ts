import type { Metamodel } from '../../inventory/metamodel/index.js';
import type { NotificationKinds } from './kinds.js';
import type { NotificationRow } from './repository.js';
import { oneLine, titleOf } from './titles.js';

/** Maximum number of lines per mail; further notifications are only in the list. */
const MOST = 50;

/**
 * Subject and text of the mail for these notifications. Titles are one line each, so that a name in them cannot start a
 * header or another line.
 */
export function mailText(
  rows: readonly NotificationRow[],
  workspace: string,
  kinds: NotificationKinds,
  metamodel: Metamodel,
): { subject: string; text: string } {
  const titles = rows.map((row) => titleOf(row, kinds, metamodel));
  const [first = ''] = titles;
  const subject = titles.length === 1 ? first : `${titles.length} notifications`;
  const more = titles.length > MOST ? [`… and ${titles.length - MOST} more.`] : [];
  const lines = titles.slice(0, MOST).map((title) => (titles.length === 1 ? title : `- ${title}`));
  return {
    subject,
    text: `${[...lines, ...more, '', `${oneLine(workspace)} sends this because of your notification preferences.`].join('\n')}\n`,
  };
}
