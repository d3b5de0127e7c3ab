// Maps a comment, pingback or trackback of an export to a change.
import type { ResourceModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import { fitted } from './fit-values.js';
import type { Change } from './import-unit.js';
import { datesOf } from './map-dates.js';
import { mapMeta } from './map-meta.js';
import type { WxrComment } from '../wxr-file/wxr-events.js';

const STATUSES: Record<string, string> = {
  '1': 'approved',
  approve: 'approved',
  approved: 'approved',
  spam: 'spam',
  trash: 'trash',
};

/** The new ids that a comment refers to. */
export interface CommentPlace {
  post: number;
  parent: number;
  author: number;
  /** Columns of comments whose item is in the trash. */
  hidden?: Row;
}

/** Values that are left out where they do not fit. */
const OPTIONAL = ['author_name', 'author_email', 'author_url', 'author_ip', 'author_user_agent'];

/** Values of a comment. */
export function commentChange(
  model: ResourceModel,
  comment: WxrComment,
  { post, parent, author, hidden }: CommentPlace,
): Change {
  const dates = datesOf(comment.date, comment.dateGmt);
  const approved = comment.approved.trim();
  const values = {
    post,
    parent,
    author,
    author_name: comment.author,
    author_email: comment.authorEmail.trim(),
    author_url: comment.authorUrl.trim(),
    author_ip: comment.authorIp.trim(),
    author_user_agent: comment.agent,
    content: comment.content,
    ...dates.values,
  };
  const hiding = approved === 'post-trashed' ? hidden : undefined;
  const columns = {
    ...dates.columns,
    type: comment.kind.trim() || 'comment',
    ...(hiding ?? { status: STATUSES[approved] ?? (approved === 'post-trashed' ? 'trash' : 'hold') }),
  };
  const change = fitted(model, values, columns, OPTIONAL);
  // Otherwise the engine would use the caller who runs the import.
  for (const name of ['author_ip', 'author_user_agent'] as const) {
    const column = model.fields.get(name)?.column;
    if (column && values[name] === '') change.columns[column] = '';
  }
  mapMeta(change, model, comment.meta);
  return change;
}
