// Reads a WordPress export (WXR 1.0 to 1.2) as a stream of events with their lines; holds one item in memory. Called twice per import.
import { SaxesParser } from 'saxes';
import { ImportProblem } from './import-problem.js';
import { textOf } from './text-source.js';
import { blank, PARTS, SITE } from './wxr-shapes.js';
const WP = /^https?:\/\/(?:www\.)?wordpress\.org\/export\/([^/]*)\/(excerpt\/)?$/;
const OTHERS = new Map([
    ['', ''],
    ['http://purl.org/rss/1.0/modules/content/', 'content:'],
    ['http://purl.org/dc/elements/1.1/', 'dc:'],
]);
/** Exports nest six deep; a file that nests much deeper wants to fill the memory. */
const MAX_DEPTH = 100;
const VERSION = /^1\.[0-2](\.\d+)?$/;
/** Events of an export in the order of the file. Throws ImportProblem where the file breaks. */
export async function* readWxr(file, { onBytes, maxPart = 128 * 1024 * 1024 } = {}) {
    const parser = new SaxesParser({ xmlns: true });
    const parts = new PartBuilder(parser);
    const step = (run) => {
        try {
            run();
        }
        catch (error) {
            throw error instanceof RangeError ? new ImportProblem(parser.line, 'a text is too long to be read') : error;
        }
    };
    try {
        for await (const text of textOf(file, () => parser.line, onBytes)) {
            step(() => parser.write(text));
            parts.unfinished += text.length;
            if (parts.ready.length > 0)
                yield* parts.take();
            else if (parts.unfinished > maxPart)
                throw new ImportProblem(parts.since, `one part is longer than ${maxPart} characters`);
        }
        step(() => parser.close());
        parts.finish();
        yield* parts.take();
    }
    catch (error) {
        throw error instanceof ImportProblem ? new ImportProblem(error.line, error.reason, file) : error;
    }
}
/** Builds events from the parser's calls. */
class PartBuilder {
    parser;
    ready = [];
    /** Characters read since the last event, and the line where they began. */
    unfinished = 0;
    since = 1;
    frames = [];
    site = blank(SITE, 1);
    siteSent = false;
    sawChannel = false;
    constructor(parser) {
        this.parser = parser;
        parser.on('error', (error) => this.fail(error.message.replace(/^(?:undefined:)?\d+:\d+: /, '')));
        parser.on('doctype', () => this.fail('a DOCTYPE is not allowed: exports have none, and entities of its own could do harm'));
        parser.on('opentag', (tag) => this.open(tag));
        parser.on('text', (text) => this.text(text));
        parser.on('cdata', (text) => this.text(text));
        parser.on('closetag', () => this.close());
    }
    *take() {
        yield* this.ready.splice(0);
    }
    /** After the last byte. */
    finish() {
        if (!this.sawChannel)
            this.fail('this is no WordPress export: it has no channel');
        this.sendSite();
    }
    open(tag) {
        const name = this.nameOf(tag);
        const depth = this.frames.length;
        const parent = this.frames.at(-1);
        if (depth > MAX_DEPTH)
            this.fail(`elements are nested deeper than ${MAX_DEPTH}`);
        if (depth === 0 && name !== 'rss')
            this.fail(`this is no WordPress export: it begins with <${tag.name}>, not with <rss>`);
        if (depth === 1 && name === 'channel') {
            this.sawChannel = true;
            this.frames.push({ shape: SITE, target: this.site });
        }
        else if (depth === 2 && parent?.shape === SITE && Object.hasOwn(PARTS, name)) {
            this.sendSite();
            this.frames.push(this.begin(PARTS[name], tag));
        }
        else
            this.frames.push(this.inside(parent, name, tag));
    }
    inside(parent, name, tag) {
        if (!parent?.shape)
            return {};
        if (Object.hasOwn(parent.shape.texts, name)) {
            const text = parent.shape.texts[name];
            parent.target[text] = '';
            return { target: parent.target, text };
        }
        if (!Object.hasOwn(parent.shape.lists, name))
            return {};
        const [property, shape] = parent.shape.lists[name];
        const frame = this.begin(shape, tag);
        parent.target[property].push(frame.target);
        return frame;
    }
    begin(shape, tag) {
        const target = blank(shape, this.parser.line);
        for (const [attribute, property] of Object.entries(shape.attributes ?? {})) {
            target[property] = tag.attributes[attribute]?.value ?? '';
        }
        return { shape, target, ...(shape.self ? { text: shape.self } : {}) };
    }
    text(text) {
        const frame = this.frames.at(-1);
        if (frame?.text)
            frame.target[frame.text] += text;
    }
    close() {
        const frame = this.frames.pop();
        if (this.frames.length !== 2 || !frame.shape)
            return;
        this.ready.push(frame.target);
        this.unfinished = 0;
        this.since = this.parser.line;
    }
    sendSite() {
        if (this.siteSent)
            return;
        const version = String(this.site['version']).trim();
        if (!version)
            this.fail('this is no WordPress export: wp:wxr_version is missing before the first entry');
        if (!VERSION.test(version))
            this.fail(`WXR version ${version.slice(0, 20)} is not known; 1.0, 1.1 and 1.2 are`);
        this.siteSent = true;
        this.ready.push(this.site);
    }
    /** Name with our own prefix for the namespace; `?` for foreign ones. */
    nameOf(tag) {
        const known = OTHERS.get(tag.uri);
        if (known !== undefined)
            return known + tag.local;
        const [, version, excerpt] = WP.exec(tag.uri) ?? [];
        if (version === undefined)
            return '?';
        if (!VERSION.test(version))
            this.fail(`WXR version ${version.slice(0, 20)} is not known; 1.0, 1.1 and 1.2 are`);
        return `${excerpt ? 'excerpt' : 'wp'}:${tag.local}`;
    }
    fail(reason) {
        throw new ImportProblem(this.parser.line, reason);
    }
}
//# sourceMappingURL=wxr-reader.js.map