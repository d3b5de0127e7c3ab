// Step of the WXR import: posts, pages, attachments and their comments, in the order of the file.
import type { ResourceModel } from '../../model/model.js';
import type { Reader } from '../../model/store.js';
import { importComments, type Owner } from './import-comments.js';
import { resolveId, type ImportSession } from './import-session.js';
import { contentHash } from './import-table.js';
import { termKey } from './import-terms.js';
import type { Change, ImportItem } from './import-unit.js';
import { itemChange, referenceFields } from './map-item.js';
import type { ImportWriter } from './unit-writer.js';
import { metaOf, type WxrItem } from '../wxr-file/wxr-events.js';
import { taxonomyOf } from '../wxr-file/wxr-inventory.js';
import { cleanUsername, ownText, wholeNumber } from '../wxr-file/wxr-text.js';

/** An item with references that point further down in the file. */
export interface ItemLinks {
  model: ResourceModel;
  key: string;
  slug: string;
  parent: string;
  featured: string;
}

/** An import unit with its references. */
export interface ItemUnit extends ImportItem {
  links: ItemLinks;
  /** URL of an attachment's file. */
  fileUrl: string;
}

/** Imports the items of a file one by one. */
export class ItemStep {
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly session: ImportSession,
    private readonly units: ImportWriter,
  ) {}

  /** Imports one item and its comments. */
  async add(item: WxrItem): Promise<void> {
    const type = item.postType.trim();
    const model = this.session.itemModel(type);
    const reason = model ? unwanted(type, item.status.trim()) : 'no such resource on this site';
    if (!model || reason) return this.skip(item, type, reason ?? '');
    const unit = this.itemUnit(item, type, model);
    const trashed = item.status.trim() === 'trash';
    const owner: Owner = { key: `${type}:${unit.key}`, model, id: undefined, trashed };
    const { settle } = unit;
    unit.settle = (id) => {
      settle(id);
      owner.id = id;
    };
    await this.units.add(unit);
    await importComments(this.session, this.units, owner, item.comments);
  }

  private skip(item: WxrItem, type: string, reason: string): void {
    const { summary } = this.session;
    summary.count(ownText(type) || 'item', 'skipped', type ? reason : 'no post type');
    for (const _ of item.comments) summary.count('comment', 'skipped', 'on a skipped item');
  }

  private itemUnit(item: WxrItem, type: string, model: ResourceModel): ItemUnit {
    const { session } = this;
    const id = wholeNumber(item.id);
    const key = this.distinctKey(type, id > 0 ? String(id) : `guid:${item.guid || contentHash(item)}`);
    const links = {
      model,
      key,
      slug: ownText(item.slug),
      parent: item.parent.trim(),
      featured: metaOf(item, '_thumbnail_id')?.trim() ?? '',
    };
    return {
      model,
      key,
      line: item.line,
      label: ownText(`${item.id.trim()} "${item.title.slice(0, 60)}"`),
      hash: contentHash(item),
      wantedId: id,
      highestId: session.inventory.highest.item,
      weight:
        item.content.length + item.excerpt.length + item.meta.reduce((sum, { value }) => sum + value.length, 1000),
      named: { slug: links.slug, title: item.title },
      links,
      fileUrl: type === 'attachment' ? ownText(item.attachmentUrl.trim()) : '',
      change: (reader, existing) => this.change(model, item, links, existing, reader),
      settle: (ours) => resolveId(session.items, `${type}:${key}`, ours),
    };
  }

  /** A distinct key for each occurrence, because some files contain an id twice. */
  private distinctKey(type: string, key: string): string {
    const times = (this.seen.get(`${type}:${key}`) ?? 0) + 1;
    this.seen.set(`${type}:${key}`, times);
    return times === 1 ? key : `${key}#${times}`;
  }

  private async change(
    model: ResourceModel,
    item: WxrItem,
    links: ItemLinks,
    existing: boolean,
    reader: Reader,
  ): Promise<Change> {
    const { terms, missing } = this.termsOf(model, item);
    const linked = await linkedIds(this.session, links, reader);
    const change = itemChange(model, item, {
      author: this.session.users.get(cleanUsername(item.creator)) ?? 0,
      terms,
      ...linked,
      existing,
    });
    change.notes.push(...missing);
    if (existing && (await this.hasFile(model, item, links, reader)))
      for (const column of Object.values(model.faces.upload!.columns)) delete change.columns[column];
    const { borrowedSlugs } = this.session;
    if (linked.parent === 'later' && links.slug) borrowedSlugs.add(links.slug);
    // A later item may still have the new slug of an existing one, and lose it in this run: the slug is set at the end.
    if (links.slug && (existing || borrowedSlugs.has(links.slug))) change.waits = true;
    return change;
  }

  /** Whether the file of an item was downloaded: the row describes it, with a name that may differ from the exported one. */
  private async hasFile(model: ResourceModel, item: WxrItem, { key }: ItemLinks, reader: Reader): Promise<boolean> {
    if (!model.faces.upload) return false;
    const entry = await this.session.ledger.find(reader, 'file', key);
    return entry?.hash === contentHash({ address: ownText(item.attachmentUrl.trim()) });
  }

  /** Ids of the terms of an item by field. */
  private termsOf(model: ResourceModel, item: WxrItem): { terms: Record<string, number[]>; missing: string[] } {
    const terms: Record<string, number[]> = {};
    const missing: string[] = [];
    for (const [name, { many }] of model.fields) {
      if (!many?.target) continue;
      const own = item.terms.filter(
        ({ domain, slug }) => slug && this.session.termModel(taxonomyOf(domain)) === many.target,
      );
      const ids = own.map(({ slug }) => this.session.terms.get(termKey(many.target!, slug)));
      terms[name] = [...new Set(ids.filter((id) => id !== undefined))];
      own.forEach(({ slug }, index) => {
        if (ids[index] === undefined)
          missing.push(`${model.name}: ${many.target!.name} "${ownText(slug)}", not among the terms the file lists`);
      });
    }
    return { terms, missing };
  }
}

/** New ids of the objects that an item refers to. */
export async function linkedIds(
  session: ImportSession,
  { model, parent, featured }: ItemLinks,
  reader: Reader,
): Promise<{ parent: number | 'later'; featured: number | 'later' }> {
  const fields = referenceFields(model);
  const typesOf = (field?: string) => (field ? model.fields.get(field)!.targets!.map(({ name }) => name) : []);
  return {
    parent: await session.itemId(typesOf(fields.parent), parent, reader),
    featured: await session.itemId(typesOf(fields.featured), featured, reader),
  };
}

/** Why an item is skipped; undefined when it is imported. */
function unwanted(type: string, status: string): string | undefined {
  const draft = status === 'auto-draft' || (status === 'inherit' && type !== 'attachment');
  return draft ? `status ${status}` : undefined;
}
