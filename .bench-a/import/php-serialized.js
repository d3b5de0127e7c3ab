// Reads values in PHP's serialisation, which WordPress keeps in meta. Objects are not made, only skipped over. Called by the meta mapping.
/** Deepest nesting that is read. */
const MAX_DEPTH = 64;
/** Whether a text looks serialised, by the rule WordPress itself goes by: scalars, arrays and objects. */
export function isSerialized(text) {
    const value = text.trim();
    if (value === 'N;')
        return true;
    return /^(?:[aOC]:\d+:.*[;}]|s:\d+:".*";|b:[01];|i:-?\d+;|d:-?[\d.]+(?:E[+-]?\d+)?;|E:\d+:.*;)$/s.test(value);
}
/** The value, arrays as lists or objects; undefined when the text is broken or holds PHP objects. */
export function unserialize(text) {
    try {
        const reader = new Reader(Buffer.from(text.trim()));
        const value = reader.value(0);
        return reader.atEnd ? value : undefined;
    }
    catch (error) {
        if (error instanceof Broken)
            return undefined;
        throw error;
    }
}
class Broken extends Error {
}
class Reader {
    bytes;
    at = 0;
    // Lengths in the format count bytes, so the text is read as bytes.
    constructor(bytes) {
        this.bytes = bytes;
    }
    get atEnd() {
        return this.at === this.bytes.length;
    }
    value(depth) {
        if (depth > MAX_DEPTH)
            throw new Broken();
        const type = this.take(2);
        switch (type) {
            case 'N;':
                return null;
            case 'b:':
                return this.until(';') === '1';
            case 'i:':
            case 'd:':
                return this.number(this.until(';'));
            case 's:':
                return this.string();
            case 'a:':
                return this.array(depth);
            default:
                throw new Broken();
        }
    }
    string() {
        const length = this.number(this.until(':'));
        this.expect('"');
        const text = this.take(length);
        this.expect('";');
        return text;
    }
    array(depth) {
        const count = this.number(this.until(':'));
        this.expect('{');
        const entries = [];
        for (let n = 0; n < count; n += 1) {
            const key = this.value(MAX_DEPTH);
            if (typeof key !== 'string' && typeof key !== 'number')
                throw new Broken();
            entries.push([String(key), this.value(depth + 1)]);
        }
        this.expect('}');
        const listed = entries.every(([key], index) => key === String(index));
        // fromEntries defines own members, so that a key like __proto__ stays a plain key.
        return listed ? entries.map(([, value]) => value) : Object.fromEntries(entries);
    }
    number(text) {
        const number = Number(text);
        if (text === '' || !Number.isFinite(number))
            throw new Broken();
        return number;
    }
    until(mark) {
        const end = this.bytes.indexOf(mark, this.at);
        if (end < 0 || end - this.at > 40)
            throw new Broken();
        const text = this.bytes.toString('utf8', this.at, end);
        this.at = end + mark.length;
        return text;
    }
    take(length) {
        if (!Number.isInteger(length) || length < 0 || this.at + length > this.bytes.length)
            throw new Broken();
        this.at += length;
        return this.bytes.toString('utf8', this.at - length, this.at);
    }
    expect(text) {
        if (this.take(text.length) !== text)
            throw new Broken();
    }
}
//# sourceMappingURL=php-serialized.js.map