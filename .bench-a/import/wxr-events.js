// What the WXR reader yields: one object per part of an export, texts as they stand in the file. Read by the inventory and the import.
/** Value of the last meta entry of a key. */
export function metaOf({ meta }, key) {
    return meta.findLast((entry) => entry.key === key)?.value;
}
//# sourceMappingURL=wxr-events.js.map