// First stage of a schema file: read the folder, parse each file, keep every position. Called at boot; next comes check.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { getNodeValue, parseTree } from 'jsonc-parser';
import { syntaxProblems } from './syntax.js';
/** Reads every `*.json` of a folder, sorted by name. */
export function loadSchemas(directory) {
    const files = [];
    const problems = [];
    for (const path of list(directory, problems)) {
        try {
            const loaded = parseSchema(shown(path), readFileSync(path, 'utf8'));
            files.push(loaded.file);
            problems.push(...loaded.problems);
        }
        catch (error) {
            problems.push({ file: shown(path), message: `cannot be read: ${reason(error)}` });
        }
    }
    return { files, problems };
}
/** Parses the text of one schema file. */
export function parseSchema(file, source) {
    const text = source.replace(/^\uFEFF/, '');
    const errors = [];
    const options = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };
    const tree = parseTree(text, errors, options);
    const position = positions(text);
    const { broken, problems } = syntaxProblems(file, text, tree, errors, position);
    const schema = tree && (errors.length === 0 ? JSON.parse(text) : getNodeValue(tree));
    return {
        file: { file, text, schema, ...(broken && { broken }), locate: (path, at) => position(offsetOf(tree, path, at)) },
        problems,
    };
}
/** A problem at a place of a schema file. */
export function problemAt(file, path, message, hint, at = 'value') {
    return { file: file.file, ...file.locate(path, at), path: path.join('.'), message, ...(hint && { hint }) };
}
function list(directory, problems) {
    const hint = 'SCHEMAS_DIR names the folder of the schema files; `typecase init` makes one';
    let entries;
    try {
        entries = readdirSync(directory, { withFileTypes: true });
    }
    catch (error) {
        problems.push({ file: shown(directory), message: `the folder of schemas cannot be read: ${reason(error)}`, hint });
        return [];
    }
    const names = entries.map((entry) => entry.name).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    if (names.length === 0)
        problems.push({ file: shown(directory), message: 'no *.json file in this folder', hint });
    return names.sort().map((name) => join(directory, name));
}
function offsetOf(tree, path, at = 'value') {
    let node = tree;
    for (const [index, segment] of path.entries()) {
        const next = member(node, segment);
        if (!next)
            break;
        const [key, value] = next.type === 'property' ? (next.children ?? []) : [next, next];
        if (key && (!value || (at === 'key' && index === path.length - 1)))
            return key.offset;
        node = value;
    }
    return node?.offset ?? 0;
}
// The last of two equal keys is the one that JSON.parse keeps.
function member(node, segment) {
    if (node?.type === 'array')
        return node.children?.[Number(segment)];
    if (node?.type !== 'object')
        return undefined;
    return node.children?.findLast((property) => property.children?.[0]?.value === String(segment));
}
function positions(text) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
        starts.push(at + 1);
    return (offset) => {
        const line = starts.findLastIndex((start) => start <= offset);
        return { line: line + 1, column: offset - starts[line] + 1 };
    };
}
function shown(path) {
    return (relative(process.cwd(), path) || '.').split(sep).join('/');
}
function reason(error) {
    const code = error.code;
    const words = {
        ENOENT: 'it does not exist',
        ENOTDIR: 'it is not a folder',
        EISDIR: 'it is a folder',
        EACCES: 'permission denied',
        EPERM: 'permission denied',
    };
    return words[code ?? ''] ?? error.message;
}
