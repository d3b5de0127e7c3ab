// Imports the comments on an item, each as a unit of its own: a rejected one does not stop the item.
import type { ResourceModel } from '../../model/model.js';
import { resolveId, type ImportSession } from './import-session.js';
import { contentHash } from './import-table.js';
import { Skipped, type ImportItem } from './import-unit.js';
import { commentChange } from './map-comment.js';
import type { ImportWriter } from './unit-writer.js';
import type { WxrComment } from '../wxr-file/wxr-events.js';
import { repliesLast } from '../wxr-file/wxr-inventory.js';
import { ownText, wholeNumber } from '../wxr-file/wxr-text.js';

/** The item that comments belong to; `id` is known once it is written. */
export interface Owner {
  key: string;
  model: ResourceModel;
  id: number | undefined;
  /** Whether the item is in the trash, which hides its comments. */
  trashed: boolean;
}

/** Imports the comments of an item, parents before replies. */
export async function importComments(
  session: ImportSession,
  units: ImportWriter,
  owner: Owner,
  comments: readonly WxrComment[],
): Promise<void> {
  const model = session.stored('comment');
  const placed = new Map<number, number>();
  const seen = new Map<string, number>();
  for (const comment of repliesLast(comments)) {
    if (!model) {
      session.summary.count('comment', 'skipped', 'no such resource on this site');
      continue;
    }
    const name = comment.id.trim() || contentHash(comment);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const key = `${owner.key}:${name}${times > 1 ? `#${times}` : ''}`;
    await units.add(commentUnit(session, model, owner, { comment, key }, placed));
  }
}

function commentUnit(
  session: ImportSession,
  model: ResourceModel,
  owner: Owner,
  { comment, key }: { comment: WxrComment; key: string },
  placed: Map<number, number>,
): ImportItem {
  const id = wholeNumber(comment.id);
  return {
    model,
    key,
    line: comment.line,
    label: ownText(comment.id.trim()),
    hash: contentHash(comment),
    wantedId: id,
    highestId: session.inventory.highest.comment,
    weight: 1000 + comment.content.length,
    change: async () => {
      if (owner.id === undefined) throw new Skipped('its item was not imported');
      const parent = placed.get(wholeNumber(comment.parent)) ?? 0;
      // The export does not say whether comments of a trashed item were approved or pending.
      const hidden = owner.trashed ? owner.model.faces.trash?.hides(model.name, 'approved') : undefined;
      const author = accountOf(session, comment);
      return commentChange(model, comment, { post: owner.id, parent, author, ...(hidden ? { hidden } : {}) });
    },
    settle: (ours) => {
      // Comments without a parent refer to 0.
      if (id !== 0) resolveId(placed, id, ours);
    },
  };
}

/** Exports before WordPress 4.7 lack account ids: the e-mail address identifies the account then. */
function accountOf({ usersBySource }: ImportSession, comment: WxrComment): number {
  const id = wholeNumber(comment.userId);
  if (id === 0) return 0;
  const address = comment.authorEmail.trim().toLowerCase();
  return usersBySource.get(`id:${id}`) ?? usersBySource.get(`email:${address}`) ?? 0;
}
