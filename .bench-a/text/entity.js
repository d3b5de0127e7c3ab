/**
 * Character references: which `&` begins one, and how the others are written.
 * Called by the renderers and by the storage form of names.
 */
const BARE_AMPERSAND = /&(?!(?:#\d{1,8}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi;
/** Ampersands that begin no character reference, written as `reference` (25.3 wants `&#038;`, 16.11 `&amp;`). */
export function encodeAmpersands(text, reference) {
    return text.includes('&') ? text.replace(BARE_AMPERSAND, reference) : text;
}
