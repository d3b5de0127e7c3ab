// Creates and updates of the hand-written server: the row with its rendered and indexed texts, its slug, its category, the
// counts that follow from it, and a revision for each update.
import type { Sql, Value, Write } from './hand-written-sql.js';

/** Category of posts without one. */
const DEFAULT_CATEGORY = 1;
const SORTED_CHARACTERS = 191;

/** Writes posts. `version` changes with each write. */
export class HandWrittenWrites {
  version = 0;

  constructor(private readonly database: Sql) {}

  /** Returns the id of the new post. */
  async create(author: Value, { title = '', content = '', status = 'draft' }: Record<string, string>): Promise<number> {
    const slug = await this.freeSlug(title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
    const now = moment();
    const id = await this.database.transaction(async (write) => {
      const row = { ...textsOf(title, content), type: 'post', status, slug, author, date: now, date_gmt: now };
      const made = await insert(write, 'contents', { ...row, modified: now, modified_gmt: now });
      await insert(write, 'contents_categories', { owner_id: made, target_id: DEFAULT_CATEGORY });
      await write('UPDATE "typecase_counts" SET "n" = "n" + 1 WHERE "scope" = ?', [`contents:["post","${status}"]`]);
      await write('UPDATE "terms" SET "count" = "count" + 1 WHERE "id" = ?', [DEFAULT_CATEGORY]);
      return made;
    });
    this.version += 1;
    return id;
  }

  /** Changes the title, and stores the new texts as a revision too. */
  async update(id: number, author: Value, { title = '' }: Record<string, string>): Promise<void> {
    const [[content = ''] = []] = await this.database.rows('SELECT "content" FROM "contents" WHERE "id" = ?', [id]);
    const now = moment();
    const texts = textsOf(title, String(content));
    await this.database.transaction(async (write) => {
      const revision = { type: 'revision', status: 'inherit', slug: `${id}-revision-v1`, parent: id, author };
      const dates = { date: now, date_gmt: now, modified: now, modified_gmt: now };
      const made = await insert(write, 'contents', { ...texts, ...revision, ...dates });
      const set = ['title', 'title_rendered', 'title_sort', 'search_text'] as const;
      await write(
        `UPDATE "contents" SET ${set.map((name) => `"${name}" = ?`).join(', ')}, "modified" = ?, "modified_gmt" = ?, ` +
          '"row_version" = "row_version" + 1, "revision_count" = "revision_count" + 1, "latest_revision" = ? WHERE "id" = ?',
        [...set.map((name) => texts[name]), now, now, made, id],
      );
    });
    this.version += 1;
  }

  private async freeSlug(wanted: string): Promise<string> {
    const taken = await this.database.rows('SELECT "slug" FROM "contents" WHERE "slug" >= ? AND "slug" < ?', [
      wanted,
      `${wanted}.`,
    ]);
    const names = new Set(taken.map(([slug]) => slug));
    for (let n = 1; ; n += 1) {
      const slug = n === 1 ? wanted : `${wanted}-${n}`;
      if (!names.has(slug)) return slug;
    }
  }
}

function textsOf(title: string, content: string) {
  const rendered = content.split('\n\n').map((part) => `<p>${part}</p>`);
  return {
    title,
    title_rendered: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    title_sort: title.toLowerCase().slice(0, SORTED_CHARACTERS),
    content,
    content_rendered: rendered.join('\n'),
    excerpt_rendered: `${rendered[0] ?? ''}\n`,
    search_text: `${title}\n${content}`.normalize('NFKD').toLowerCase(),
  };
}

function insert(write: Write, table: string, row: Record<string, Value>): Promise<number> | number {
  const names = Object.keys(row);
  const places = names.map(() => '?').join(', ');
  return write(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${places})`,
    Object.values(row),
  );
}

function moment(): string {
  return new Date().toISOString().slice(0, 19);
}
