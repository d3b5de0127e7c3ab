import { settleIn } from './import-session.js';
import { contentHash } from './import-table.js';
import { termKey } from './import-terms.js';
import { Skipped } from './import-unit.js';
import { commentChange } from './map-comment.js';
import { itemChange, referenceFields } from './map-item.js';
import { metaOf } from './wxr-events.js';
import { repliesLast, taxonomyOf } from './wxr-inventory.js';
import { cleanLogin, ownText, wholeNumber } from './wxr-text.js';
export class ItemStep {
    session;
    units;
    seen = new Map();
    constructor(session, units) {
        this.session = session;
        this.units = units;
    }
    /** Imports one item and its comments. */
    async add(item) {
        const type = item.postType.trim();
        const model = this.session.itemModel(type);
        const reason = model ? unwanted(type, item.status.trim()) : 'no such resource on this site';
        if (!model || reason)
            return this.skip(item, type, reason ?? '');
        const unit = this.itemUnit(item, type, model);
        const place = {};
        const settle = unit.settle;
        unit.settle = (id) => {
            settle(id);
            if (id === undefined)
                delete place.id;
            else
                place.id = id;
        };
        await this.units.add(unit);
        await this.addComments(item, `${type}:${unit.key}`, place, model);
    }
    skip(item, type, reason) {
        const { summary } = this.session;
        summary.count(ownText(type) || 'item', 'skipped', type ? reason : 'no post type');
        for (const _ of item.comments)
            summary.count('comment', 'skipped', 'on a skipped item');
    }
    itemUnit(item, type, model) {
        const { session } = this;
        const id = wholeNumber(item.id);
        const key = this.keyed(type, id > 0 ? String(id) : `guid:${item.guid || contentHash(item)}`);
        const links = { model, key, slug: ownText(item.slug), parent: item.parent.trim(), featured: metaOf(item, '_thumbnail_id')?.trim() ?? '' };
        return {
            model,
            key,
            line: item.line,
            label: ownText(`${item.id.trim()} "${item.title.slice(0, 60)}"`),
            hash: contentHash(item),
            wantedId: id,
            highestId: session.inventory.highest.item,
            weight: item.content.length + item.excerpt.length + item.meta.reduce((sum, { value }) => sum + value.length, 1000),
            links,
            address: type === 'attachment' ? ownText(item.attachmentUrl.trim()) : '',
            change: (reader, existing) => this.change(model, item, links, existing, reader),
            settle: (ours) => settleIn(session.items, `${type}:${key}`, ours),
        };
    }
    /** A key for each occurrence: some files hold an id twice. */
    keyed(type, key) {
        const times = (this.seen.get(`${type}:${key}`) ?? 0) + 1;
        this.seen.set(`${type}:${key}`, times);
        return times === 1 ? key : `${key}#${times}`;
    }
    async change(model, item, links, existing, reader) {
        const { terms, missing } = this.termsOf(model, item);
        const change = itemChange(model, item, {
            author: this.session.users.get(cleanLogin(item.creator)) ?? 0,
            terms,
            ...(await linkedIds(this.session, links, reader)),
            existing,
        });
        change.notes.push(...missing);
        return change;
    }
    /** Ids of the terms of an item by the field that takes them. */
    termsOf(model, item) {
        const terms = {};
        const missing = [];
        for (const [name, { many }] of model.fields) {
            if (!many?.target)
                continue;
            const own = item.terms.filter(({ domain, slug }) => slug && this.session.termModel(taxonomyOf(domain)) === many.target);
            const ids = own.map(({ slug }) => this.session.terms.get(termKey(many.target, slug)));
            terms[name] = [...new Set(ids.filter((id) => id !== undefined))];
            own.forEach(({ slug }, index) => {
                if (ids[index] === undefined)
                    missing.push(`${model.name}: ${many.target.name} "${ownText(slug)}", not among the terms the file lists`);
            });
        }
        return { terms, missing };
    }
    async addComments(item, owner, place, itemModel) {
        const model = this.session.stored('comment');
        const placed = new Map();
        const keys = new Map();
        const trait = itemModel.traits.get('trashable')?.['with'];
        const hidden = trait?.find(({ resource }) => resource === 'comment')?.mark;
        for (const comment of repliesLast(item.comments)) {
            if (!model) {
                this.session.summary.count('comment', 'skipped', 'no such resource on this site');
                continue;
            }
            const name = comment.id.trim() || contentHash(comment);
            const times = (keys.get(name) ?? 0) + 1;
            keys.set(name, times);
            const key = `${owner}:${name}${times > 1 ? `#${times}` : ''}`;
            await this.units.add(this.commentUnit(model, comment, key, place, placed, hidden));
        }
    }
    commentUnit(model, comment, key, place, placed, hidden) {
        const id = wholeNumber(comment.id);
        return {
            model,
            key,
            line: comment.line,
            label: ownText(comment.id.trim()),
            hash: contentHash(comment),
            wantedId: id,
            highestId: this.session.inventory.highest.comment,
            weight: 1000 + comment.content.length,
            change: async () => {
                if (place.id === undefined)
                    throw new Skipped('its item was not imported');
                const parent = placed.get(wholeNumber(comment.parent)) ?? 0;
                return commentChange(model, comment, { post: place.id, parent, author: this.userOf(comment), ...(hidden ? { hidden } : {}) });
            },
            settle: (ours) => settleIn(placed, id, ours),
        };
    }
    /** Exports before WordPress 4.7 do not tell the ids of accounts: then the address decides. */
    userOf(comment) {
        const id = wholeNumber(comment.userId);
        if (id === 0)
            return 0;
        const { usersBySource } = this.session;
        return usersBySource.get(`id:${id}`) ?? usersBySource.get(`email:${comment.authorEmail.trim().toLowerCase()}`) ?? 0;
    }
}
/** Our ids of what an item refers to. */
export async function linkedIds(session, { model, parent, featured }, reader) {
    const fields = referenceFields(model);
    const typesOf = (field) => (field ? model.fields.get(field).targets.map(({ name }) => name) : []);
    return {
        parent: await session.itemId(typesOf(fields.parent), parent, reader),
        featured: await session.itemId(typesOf(fields.featured), featured, reader),
    };
}
/** Why an item is not taken over. */
function unwanted(type, status) {
    const draft = status === 'auto-draft' || (status === 'inherit' && type !== 'attachment');
    return draft ? `status ${status}` : undefined;
}
//# sourceMappingURL=import-items.js.map