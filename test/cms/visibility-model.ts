// Who may see what, written from docs/behaviour/ alone: the suites hold the
// engine against it. Nothing here knows the schemas or the engine.

export type Kind = 'post' | 'page' | 'attachment';
export type Status = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'inherit';
export type CommentStatus = 'approved' | 'hold' | 'spam' | 'trash';
export type RoleName = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber' | 'anonymous';

/** A post, page or media item. */
export interface Content {
  id: number;
  kind: Kind;
  author: number;
  status: Status;
  /** Status before it was thrown away. */
  was?: Status;
  /** Page above a page; post or page that a file belongs to; 0 for none. */
  parent: number;
  password: string;
}

export interface Comment {
  id: number;
  post: number;
  author: number;
  status: CommentStatus;
  parent: number;
}

/** A caller; id 0 is anonymous. */
export interface Caller {
  id: number;
  role: RoleName;
}

const AUTHOR = ['edit', 'delete', 'publish', 'edit_published', 'delete_published'];
const OTHERS = ['edit_others', 'delete_others', 'edit_private', 'delete_private', 'read_private'];
const of = (verbs: string[], kind: string) => verbs.map((verb) => `${verb}_${kind}`);

const EDITOR = [
  'read',
  'upload_files',
  ...of([...AUTHOR, ...OTHERS], 'posts'),
  ...of([...AUTHOR, ...OTHERS], 'pages'),
  'moderate_comments',
  'manage_categories',
  'unfiltered_html',
];

const CAPABILITIES: Record<RoleName, ReadonlySet<string>> = {
  administrator: new Set([...EDITOR, 'list_users', 'create_users', 'edit_users', 'delete_users', 'promote_users']),
  editor: new Set(EDITOR),
  author: new Set(['read', 'upload_files', ...of(AUTHOR, 'posts')]),
  contributor: new Set(['read', 'edit_posts', 'delete_posts']),
  subscriber: new Set(['read']),
  anonymous: new Set(),
};

/** Everything there is, and what a caller may see of it. */
export class VisibilityModel {
  readonly contents = new Map<number, Content>();
  readonly comments = new Map<number, Comment>();

  can(caller: Caller, capability: string): boolean {
    return CAPABILITIES[caller.role].has(capability);
  }

  /** 9.3, edit. */
  mayEdit(caller: Caller, item: Content): boolean {
    return this.mayChange(caller, item, 'edit');
  }

  /** 9.3, delete. */
  mayDelete(caller: Caller, item: Content): boolean {
    return this.mayChange(caller, item, 'delete');
  }

  /** 9.3, read. */
  mayRead(caller: Caller, item: Content): boolean {
    if (item.status === 'publish') return true;
    if (item.status === 'inherit') {
      const parent = this.contents.get(item.parent);
      if (!parent || this.mayRead(caller, parent)) return true;
    }
    if (owns(caller, item) && this.can(caller, 'read')) return true;
    if (item.status === 'private' && this.can(caller, `read_private_${plural(item)}`)) return true;
    return this.mayEdit(caller, item);
  }

  /** Readable, and no password stands before its text. */
  isOpen(caller: Caller, item: Content): boolean {
    return this.mayRead(caller, item) && (item.password === '' || this.mayEdit(caller, item));
  }

  /** 9.6, 14.9, 14.14, without a password being given. */
  mayReadComment(caller: Caller, comment: Comment): boolean {
    const post = this.contents.get(comment.post);
    if (!post || !this.isOpen(caller, post)) return false;
    if (comment.status === 'approved') return true;
    if (caller.id > 0 && comment.author === caller.id) return true;
    return this.mayEditComment(caller, comment);
  }

  mayEditComment(caller: Caller, comment: Comment): boolean {
    const post = this.contents.get(comment.post);
    return this.can(caller, 'moderate_comments') || Boolean(post && this.mayEdit(caller, post));
  }

  /** 15.5: in lists. */
  mayListUser(caller: Caller, user: number): boolean {
    return this.can(caller, 'list_users') || this.wrote(user, (item) => item.status === 'publish');
  }

  /** 15.9: one by one. */
  mayReadUser(caller: Caller, user: number): boolean {
    if (this.mayListUser(caller, user) || caller.id === user) return true;
    return this.wrote(user, (item) => item.status === 'private' && this.can(caller, `read_private_${plural(item)}`));
  }

  private wrote(user: number, such: (item: Content) => boolean): boolean {
    return [...this.contents.values()].some((item) => item.author === user && such(item));
  }

  private mayChange(caller: Caller, item: Content, verb: 'edit' | 'delete'): boolean {
    const kind = plural(item);
    const status = item.status === 'trash' ? item.was : item.status;
    const published = status === 'publish' || status === 'future';
    if (owns(caller, item)) return this.can(caller, published ? `${verb}_published_${kind}` : `${verb}_${kind}`);
    return (
      this.can(caller, `${verb}_others_${kind}`) &&
      (!published || this.can(caller, `${verb}_published_${kind}`)) &&
      (item.status !== 'private' || this.can(caller, `${verb}_private_${kind}`))
    );
  }
}

function owns(caller: Caller, item: Content): boolean {
  return caller.id > 0 && item.author === caller.id;
}

function plural(item: Content): 'posts' | 'pages' {
  return item.kind === 'page' ? 'pages' : 'posts';
}
