/**
 * Throws RangeError unless `key` is a relative path of plain segments: no `..`, no leading dot, no backslash,
 * no control character. The last line of defence under the sanitized names (reliability T22).
 */
export function checkKey(key) {
    const harmless = (segment) => segment !== '' && !segment.startsWith('.') && !/[\\\p{Cc}]/u.test(segment);
    if (!key.split('/').every(harmless))
        throw new RangeError(`not a storage key: ${JSON.stringify(key)}`);
}
/** `base` and the key with each segment percent-encoded, joined by one slash. */
export function publicUrl(base, key) {
    return `${base.replace(/\/+$/, '')}/${key.split('/').map(encodeURIComponent).join('/')}`;
}
/**
 * `name`, then `name-1`, `name-2` … before the extension, without end: the order in which keys are tried.
 * A name that ends like a generated copy (`-150x150`) starts at `-1`, for the copies of another upload have such names.
 */
export function* candidates(name) {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    if (!/-(\d+x\d+|scaled|rotated)$/i.test(stem))
        yield name;
    for (let count = 1;; count += 1)
        yield `${stem}-${count}${extension}`;
}
