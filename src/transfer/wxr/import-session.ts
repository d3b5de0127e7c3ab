// Shared state of one import: the file's inventory, the new ids of its objects, the writer.
import type { ContentWriter } from '../../engine/content-writer.js';
import type { ResourceModel } from '../../model/model.js';
import { equals } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { ImportSummary } from '../import-summary.js';
import { Ledger } from './import-table.js';
import type { WxrInventory } from '../wxr-file/wxr-inventory.js';
import { wholeNumber } from '../wxr-file/wxr-text.js';

/** Fields of which a target resource needs at least one: its items would be empty otherwise. */
const ITEM_TEXTS = ['title', 'content'];

/** Resources that are never the target of a post type. */
const NO_ITEMS = new Set(['user', 'comment', 'meta', 'category', 'tag']);

/** The state that all steps of an import share. */
export class ImportSession {
  readonly summary: ImportSummary;
  readonly ledger: Ledger;
  /** New ids: users by username and by the source's id and e-mail address, terms by resource and slug, items by type and key. */
  readonly users = new Map<string, number>();
  readonly usersBySource = new Map<string, number>();
  readonly terms = new Map<string, number>();
  readonly items = new Map<string, number>();
  /**
   * Slugs of items that move below a parent at the end of the import. Another item with such a slug, which got a different
   * one meanwhile, gets it back afterwards.
   */
  readonly borrowedSlugs = new Set<string>();

  constructor(
    readonly writer: ContentWriter,
    readonly inventory: WxrInventory,
    readonly dryRun: boolean,
  ) {
    this.summary = new ImportSummary(dryRun);
    this.ledger = new Ledger(inventory.source);
  }

  /** A stored resource by name. */
  stored(name: string): ResourceModel | undefined {
    const model = this.writer.models.byName.get(name);
    return model?.table && model.integerKey && !model.parent ? model : undefined;
  }

  /** The resource of a post type's items. */
  itemModel(postType: string): ResourceModel | undefined {
    const model = NO_ITEMS.has(postType) ? undefined : this.filled(postType);
    return model && ITEM_TEXTS.some((name) => model.fields.has(name)) ? model : undefined;
  }

  /** The resource of a taxonomy's terms: `post_tag` is `tag`. */
  termModel(taxonomy: string): ResourceModel | undefined {
    const model = this.filled(taxonomy === 'post_tag' ? 'tag' : taxonomy);
    // Accounts have a name and a slug too, but need a username and a password.
    return model && !model.faces.accounts && model.fields.has('name') && model.fields.has('slug') ? model : undefined;
  }

  /** A stored resource that clients may create items of. An export can name any type, including that of the audit log. */
  private filled(name: string): ResourceModel | undefined {
    const model = this.stored(name);
    return model?.operations.has('create') ? model : undefined;
  }

  /** New id of an item of one of these types; 0 for none, `later` when it comes further down in the file. */
  async itemId(types: readonly string[], text: string, reader: Reader): Promise<number | 'later'> {
    const id = wholeNumber(text);
    if (id <= 0) return 0;
    for (const type of types) {
      const known = this.items.get(`${type}:${id}`) ?? (await this.imported(type, String(id), reader));
      if (known !== undefined) return known;
    }
    return types.some((type) => this.inventory.ids.get(type)?.has(id)) ? 'later' : 0;
  }

  /** New id of an item that an earlier run imported, from this file or another of the same site. */
  private async imported(type: string, key: string, reader: Reader): Promise<number | undefined> {
    const table = this.itemModel(type)?.table;
    const entry = table && (await this.ledger.find(reader, type, key));
    if (!entry || !(await reader.first(table.name, ['id'], equals('id', entry.itemId)))) return undefined;
    return entry.itemId;
  }
}

/** Updates a map after an object was written; undefined removes the key. */
export function resolveId<K>(map: Map<K, number>, key: K, id: number | undefined): void {
  if (id === undefined) map.delete(key);
  else map.set(key, id);
}
