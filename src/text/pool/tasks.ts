// Text functions whose running time grows with the text and that therefore run in a worker thread for large texts,
// by the name used in the worker. All are pure: texts in, structured-cloneable data out.
import { diffLines } from '../diff-lines.js';
import { differenceOf } from '../difference.js';
import { fold } from '../fold.js';
import { commentHtml, contentHtml, descriptionHtml, inlineHtml } from '../sanitize-html.js';
import { encodeName, plainText, stripTags } from '../plain.js';
import * as render from '../render.js';
import { sameWords } from '../same-words.js';

export const TASKS: ReadonlyMap<string, (...texts: any) => unknown> = new Map(
  Object.entries({
    commentHtml,
    contentHtml,
    descriptionHtml,
    inlineHtml,
    encodeName,
    plainText,
    stripTags,
    renderCaption: render.renderCaption,
    renderComment: render.renderComment,
    renderContent: render.renderContent,
    renderDescription: render.renderDescription,
    renderExcerpt: render.renderExcerpt,
    renderTitle: render.renderTitle,
    fold,
    sameWords,
    diffLines,
    differenceOf,
    ...Object.fromEntries([...render.STORED_RENDERINGS].map(([{ name }, stored]) => [`${name}Stored`, stored])),
  }),
);
