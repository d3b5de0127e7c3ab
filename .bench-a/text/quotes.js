/**
 * Decides what each straight quote of a text stands for: an opening or closing quote, an apostrophe, a prime.
 * Called by typography.ts with one text between two tags.
 */
const ENTITIES = {
    '"': { open: '&#8220;', close: '&#8221;', prime: '&#8243;', loose: '&#8221;' },
    "'": { open: '&#8216;', close: '&#8217;', prime: '&#8242;', loose: "'" },
};
const APOSTROPHE = '&#8217;';
const SPACES = ' \t\r\n\u00a0';
const QUOTED_YEAR = /'\d\d'/y;
const YEAR = /'\d\d(?![\d%]|[.,]\d)/y;
const QUOTED_NUMBER = /(["'])\d[\d.,]*\1/y;
const SHORTENED_WORD = /'(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em|n')(?![\p{L}\p{N}])/iuy;
/** Reads the quotes of one text from left to right. */
export class QuoteReader {
    text;
    carried;
    marks = [];
    lastRead = -2;
    decided = new Map();
    /** `carried`: the text goes on a word that ended in front of an end tag. */
    constructor(text, carried) {
        this.text = text;
        this.carried = carried;
    }
    /** Notes the quote at `at`; its entity will be written to `piece`. */
    read(at, piece) {
        const quote = this.text[at];
        const afterDigit = isDigit(this.text[at - 1]);
        const role = this.decided.get(at) ?? (quote === '"' ? this.double(at) : this.single(at, afterDigit));
        this.marks.push({ piece, quote, role, afterDigit, beforeFullStop: this.text[at + 1] === '.' });
        this.lastRead = at;
    }
    double(at) {
        if (!this.opensAfter(at, '([{-'))
            return this.ending(at);
        if (this.quotedNumber(at))
            return 'open';
        return isSpaceAt(this.text, at + 1) ? this.ending(at) : 'open';
    }
    single(at, afterDigit) {
        const opens = this.opensAfter(at, '([{-');
        if (!afterDigit && matches(QUOTED_YEAR, this.text, at) && this.endsAt(at + 4)) {
            this.decided.set(at + 3, 'close');
            return 'apostrophe';
        }
        if (!afterDigit && matches(YEAR, this.text, at))
            return 'apostrophe';
        if (opens && matches(SHORTENED_WORD, this.text, at)) {
            if (this.text[at + 2] === "'")
                this.decided.set(at + 2, 'apostrophe');
            return 'apostrophe';
        }
        if (opens) {
            this.quotedNumber(at);
            return 'open';
        }
        const insideWord = this.followsWord(at) && !this.endsAt(at + 1) && !'([{'.includes(this.text[at + 1]);
        if (insideWord)
            return afterDigit && isDigit(this.text[at + 1]) ? 'loose' : 'apostrophe';
        return this.ending(at);
    }
    quotedNumber(at) {
        if (!this.startsWord(at) || !matches(QUOTED_NUMBER, this.text, at))
            return false;
        this.decided.set(QUOTED_NUMBER.lastIndex - 1, 'close');
        return true;
    }
    ending(at) {
        return this.endsAt(at + 1) ? 'boundary' : 'loose';
    }
    startsWord(at) {
        return at === 0 ? !this.carried : isSpaceBefore(this.text, at);
    }
    opensAfter(at, openers) {
        if (this.startsWord(at))
            return true;
        if (this.lastRead === at - 1)
            return this.marks.at(-1)?.role === 'open';
        return at > 0 && (openers.includes(this.text[at - 1]) || this.text.endsWith('&lt;', at));
    }
    followsWord(at) {
        if (at === 0)
            return this.carried;
        return !this.startsWord(at) && !'.,:;!?"\'(){}[]-'.includes(this.text[at - 1]);
    }
    endsAt(at) {
        if (at >= this.text.length || isSpaceAt(this.text, at))
            return true;
        return '.,:;!?)}-]"\''.includes(this.text[at]) || this.text.startsWith('&gt;', at);
    }
}
/** Writes the entity of every mark; a closing quote is looked for behind each opening one. */
export function settle(marks, pieces) {
    for (const quote of ['"', "'"]) {
        let sentence = [];
        let opened = false;
        for (const mark of marks) {
            if (mark.quote !== quote)
                continue;
            if (mark.role === 'apostrophe')
                pieces[mark.piece] = APOSTROPHE;
            else if (mark.role === 'open') {
                settleSentence(sentence, opened, pieces);
                pieces[mark.piece] = ENTITIES[quote].open;
                sentence = [];
                opened = true;
            }
            else
                sentence.push(mark);
        }
        settleSentence(sentence, opened, pieces);
    }
}
function settleSentence(sentence, opened, pieces) {
    const closing = opened ? closingMarks(sentence) : new Set();
    for (const mark of sentence) {
        const entities = ENTITIES[mark.quote];
        if (mark.role === 'close' || closing.has(mark))
            pieces[mark.piece] = entities.close;
        else if (mark.afterDigit)
            pieces[mark.piece] = entities.prime;
        else
            pieces[mark.piece] = mark.role === 'boundary' ? entities.close : entities.loose;
    }
}
/** Behind a digit a quote may be an inch: then the one that ends the sentence closes, or else the last. */
function closingMarks(sentence) {
    if (sentence.some((mark) => mark.role === 'close'))
        return new Set();
    const candidates = sentence.filter((mark) => mark.role === 'boundary');
    const certain = candidates.filter((mark) => !mark.afterDigit);
    if (certain.length > 0 || candidates.length === 0)
        return new Set(certain);
    return new Set([candidates.findLast((mark) => mark.beforeFullStop) ?? candidates.at(-1)]);
}
export function isSpaceBefore(text, at) {
    return SPACES.includes(text[at - 1]) || text.endsWith('&nbsp;', at);
}
export function isSpaceAt(text, at) {
    return at < text.length && (SPACES.includes(text[at]) || text.startsWith('&nbsp;', at));
}
export function isDigit(character) {
    return character !== undefined && character >= '0' && character <= '9';
}
function matches(pattern, text, at) {
    pattern.lastIndex = at;
    return pattern.test(text);
}
