// Takes variables out of the environment and collects what is wrong with them. Called by config.ts and config-site.ts.
import * as read from './config-values.js';
import { nearest } from './schema/did-you-mean.js';
/** Reads each variable once, remembers its name and its problem. */
export class Variables {
    env;
    names = new Set();
    problems = [];
    constructor(env) {
        this.env = env;
    }
    /** The value of a variable; an empty one counts as absent. `show` hides what is secret. */
    get(name, fallback, allowed, parse, show = (text) => text) {
        this.names.add(name);
        const text = this.env[name]?.trim() ?? '';
        if (text === '')
            return fallback;
        const value = parse(text);
        if (value === undefined)
            this.problems.push(refused(name, `"${show(text)}" is not ${allowed}`));
        return value ?? fallback;
    }
    flag(name, fallback) {
        return this.get(name, fallback, 'on or off (or true, false, 1, 0, yes, no)', read.flag);
    }
    whole(name, fallback, least, most) {
        return this.get(name, fallback, `a whole number from ${least} to ${most}`, read.whole(least, most));
    }
    oneOf(name, fallback, ...words) {
        return this.get(name, fallback, `one of ${words.join(', ')}`, read.oneOf(...words));
    }
    text(name, fallback) {
        return this.get(name, fallback, 'a text', read.anyText);
    }
    /** A text that is used exactly as given and never shown. */
    secret(name) {
        this.names.add(name);
        return this.env[name] === '' ? undefined : this.env[name];
    }
}
/** Settings that nearly have a known name. Other names beginning with SITE_ belong to the platform we run on. */
export function misspelt(env, names) {
    const known = new Map([...names].map((name) => [name.replace(/^SITE_/, ''), name]));
    return Object.keys(env).flatMap((name) => {
        if (!name.startsWith('SITE_') || names.has(name))
            return [];
        const meant = nearest(name.slice('SITE_'.length), known.keys());
        return meant === undefined
            ? []
            : [{ ...refused(name, 'there is no such setting'), hint: `did you mean ${known.get(meant)}?` }];
    });
}
/** A problem of one variable. */
export function refused(name, message) {
    return { file: 'environment', path: name, message };
}
