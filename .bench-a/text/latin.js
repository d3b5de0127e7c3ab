/**
 * Latin letters without their accents; other scripts stay as they are.
 * Called by slugs (11.17) and by the key for comparing and searching (6.14).
 */
import { transliterate } from 'transliteration';
const NOT_ASCII = /[^\p{ASCII}]/u;
const LATIN_LETTER = /(\p{Script=Latin})[\u0300-\u036f]*/gu;
const known = new Map([['ẞ', 'SS']]);
/** é becomes e, ß ss, æ ae; 日本 and Ж stay (11.17). */
export function plainLatin(text) {
    if (!NOT_ASCII.test(text))
        return text;
    return text.normalize('NFC').replace(LATIN_LETTER, (_, letter) => plainLetter(letter));
}
function plainLetter(letter) {
    if (letter <= '\x7f')
        return letter;
    let plain = known.get(letter);
    if (plain === undefined) {
        plain = transliterate(letter);
        known.set(letter, plain);
    }
    return plain;
}
