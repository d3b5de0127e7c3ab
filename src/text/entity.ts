// Character references: recognizes them, and encodes other ampersands.
const BARE_AMPERSAND = /&(?!(?:#\d{1,8}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi;

/** Encodes ampersands that begin no character reference as `reference` (`&#038;` or `&amp;`). */
export function encodeAmpersands(text: string, reference: string): string {
  return text.includes('&') ? text.replace(BARE_AMPERSAND, reference) : text;
}
