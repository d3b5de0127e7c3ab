// Brings content.json into a fresh site with its ids, through the importers' door. Called by the replay before its first request.
import { randomUUID } from 'node:crypto';
import { Secret } from '../../src/auth/secret.js';
import type { ContentBatch, ImportOptions } from '../../src/engine/content-writer.js';
import { toUtc } from '../../src/values/date-time.js';
import { equals, type Row } from '../../src/model/query.js';
import type { Store } from '../../src/model/store.js';
import type { OpenSite } from '../../src/server/open-site.js';
import type {
  Content,
  ContentComment,
  ContentItem,
  ContentMedia,
  ContentRevision,
  ContentTerm,
  ContentUser,
} from './content.js';
import { APPLICATION_PASSWORDS } from '../../src/auth/application-password-rows.js';

/** Details that the reference had read from files which content.json does not hold. */
const FILE_DETAILS: Record<number, object> = {
  18: {
    dataformat: 'mp3',
    channels: 2,
    sample_rate: 44100,
    bitrate: 128000,
    channelmode: 'stereo',
    bitrate_mode: 'cbr',
    lossless: false,
    encoder_options: 'CBR128',
    compression_ratio: 0.09070294784580499,
    fileformat: 'mp3',
    filesize: 16680,
    mime_type: 'audio/mpeg',
    length: 1,
    length_formatted: '0:01',
    sizes: {},
  },
  19: { filesize: 24, sizes: {} },
  20: { filesize: 12, sizes: {} },
};

/** Loads everything, then raises the sequences so that the first created items get the recorded ids. */
export async function loadContent(site: OpenSite, content: Content, tokenSecret: string): Promise<void> {
  const hashes = new Map<string, string>();
  for (const { login, password } of content.users) hashes.set(login, await site.hasher.hash(password));
  const loader = new Loader(site, new Secret(tokenSecret), hashes);
  for (const [items, load] of loader.steps(content)) {
    await site.writer.batch(async (batch) => {
      for (const item of items) await load(batch, item as never);
    });
  }
  const { post, comment, user, term } = content.next_ids;
  for (const [resource, next] of [
    ['post', post],
    ['comment', comment],
    ['user', user],
    ['tag', term],
  ] as const) {
    await raiseSequence(site, resource, next);
  }
}

/** Makes `next` the id of the next item of a resource, unless a higher one was given out already. */
export async function raiseSequence(
  { store, models }: { store: Store; models: OpenSite['models'] },
  resource: string,
  next: number,
): Promise<void> {
  const table = models.byName.get(resource)!.table!.name;
  await store.transaction(async (tx) => {
    const [last] = await tx.select({
      table,
      columns: ['id'],
      where: { op: 'true' },
      order: [{ column: 'id', direction: 'desc' }],
      limit: 1,
    });
    if ((last?.['id'] ?? 0) >= next - 1) return;
    // Ids of SQLite are never reused: a row that comes and goes takes its id along.
    await tx.insert(table, { id: next - 1 });
    await tx.delete(table, equals('id', next - 1));
  });
}

class Loader {
  private readonly zone: string;

  constructor(
    private readonly site: OpenSite,
    private readonly secret: Secret,
    private readonly hashes: Map<string, string>,
  ) {
    this.zone = site.site.settings.timezone;
  }

  /** What is loaded, in the order in which things refer to each other. */
  steps(content: Content): [readonly unknown[], (batch: ContentBatch, item: never) => Promise<unknown>][] {
    return [
      [content.users, (batch, user: ContentUser) => this.user(batch, user)],
      [content.categories, (batch, term: ContentTerm) => this.term(batch, 'category', term)],
      [content.tags, (batch, term: ContentTerm) => this.term(batch, 'tag', term)],
      [content.media, (batch, media: ContentMedia) => this.media(batch, media)],
      [content.posts, (batch, post: ContentItem) => this.item(batch, post)],
      [content.pages, (batch, page: ContentItem) => this.item(batch, page)],
      [content.revisions, (batch, revision: ContentRevision) => this.revision(batch, revision)],
      [content.comments, (batch, comment: ContentComment) => this.comment(batch, comment)],
    ];
  }

  private async user(batch: ContentBatch, user: ContentUser): Promise<void> {
    const { id, login, role, registered, app_password: appPassword } = user;
    const { email, name, first_name, last_name, nickname, slug, url, description, locale, meta } = user;
    const values = {
      username: login,
      email,
      name,
      first_name,
      last_name,
      nickname,
      slug,
      url,
      description,
      locale,
      meta,
      roles: [role],
    };
    await this.keep(
      batch,
      'user',
      { ...values, password: this.hashes.get(login) },
      { id, columns: { registered_date: registered } },
    );
    await batch.tx.insert(APPLICATION_PASSWORDS.name, {
      uuid: randomUUID(),
      account_id: id,
      name: 'replay',
      hash: this.secret.fingerprint('application-password', appPassword),
      created: registered,
    });
  }

  private async term(batch: ContentBatch, resource: string, { id, ...values }: ContentTerm): Promise<void> {
    await this.keep(batch, resource, values, { id });
  }

  private async media(batch: ContentBatch, media: ContentMedia): Promise<void> {
    const {
      id,
      title,
      slug,
      author,
      date,
      alt_text,
      caption,
      description,
      meta,
      file,
      mime_type,
      width,
      height,
      post,
    } = media;
    const details = FILE_DETAILS[id] ?? (width ? { width, height, file, sizes: {} } : { sizes: {} });
    const columns = { file, mime_type, media_details: JSON.stringify(details), parent: post, ...this.modified(date) };
    await this.keep(
      batch,
      'attachment',
      { title, slug, author, date, alt_text, caption, description, meta },
      { id, columns },
    );
  }

  private async item(batch: ContentBatch, item: ContentItem): Promise<void> {
    const { id, type, status, modified, floating, date, ...rest } = item;
    const trash = {
      status: 'trash',
      trashed_status: 'publish',
      trashed_slug: item.slug,
      slug: `${item.slug}__trashed`,
    };
    const columns: Row = {
      ...this.dated(date),
      ...this.modified(modified),
      date_floating: floating ? 1 : 0,
      ...(status === 'trash' ? trash : {}),
    };
    await this.keep(batch, type, { ...rest, date, ...(status === 'trash' ? {} : { status }) }, { id, columns });
  }

  private async revision(batch: ContentBatch, revision: ContentRevision): Promise<void> {
    const { id, parent, author, title, content, excerpt, date, kind } = revision;
    const page = await batch.find('page', { id: parent });
    const slug = `${parent}-${kind}-v1`;
    const columns = {
      author,
      title,
      content,
      excerpt,
      slug,
      status: 'inherit',
      parent,
      ...this.dated(date),
      ...this.modified(date),
    };
    await batch.create(page ? 'page-revision' : 'post-revision', {}, { id, parentId: parent, columns });
    const table = this.site.models.byName.get('post')!.table!.name;
    const rows = await batch.tx.select({
      table,
      columns: ['id'],
      where: { op: 'and', of: [equals('type', 'revision'), equals('parent', parent)] },
      order: [
        { column: 'date', direction: 'desc' },
        { column: 'id', direction: 'desc' },
      ],
    });
    await batch.tx.update(
      table,
      { revision_count: rows.length, latest_revision: rows[0]!['id'] },
      equals('id', parent),
    );
  }

  private async comment(batch: ContentBatch, { id, date, status, type, ...values }: ContentComment): Promise<void> {
    const columns = {
      ...this.dated(date),
      status,
      type,
      author_ip: values.author_ip,
      author_user_agent: values.author_user_agent,
    };
    await this.keep(batch, 'comment', { ...values, date }, { id, columns });
  }

  /** Creates an item, or changes the one that the first startup made with its id. */
  private async keep(
    batch: ContentBatch,
    resource: string,
    values: Record<string, unknown>,
    options: ImportOptions & { id: number },
  ): Promise<void> {
    const { id, ...rest } = options;
    if (await batch.find(resource, { id })) await batch.update(resource, id, values, rest);
    else await batch.create(resource, values, options);
  }

  private dated(date: string): Row {
    return { date, date_gmt: toUtc(date, undefined, this.zone) };
  }

  private modified(date: string): Row {
    return { modified: date, modified_gmt: toUtc(date, undefined, this.zone) };
  }
}
