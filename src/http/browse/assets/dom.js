// Makes elements. Texts become text nodes: nothing that the API sends is read as HTML.

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * Creates an element. Attributes that are functions listen to the event of that name; `true` and `false` set and
 * leave out; `value` and `checked` are set as properties.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  append(element, children.flat());
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (name === 'value' || name === 'checked') Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  return element;
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
export function append(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

let count = 0;

/** A new id for an element. @param {string} name */
export function newId(name) {
  return `${name.replaceAll(/[^\w-]/g, '-')}-${++count}`;
}

/** A word with a capital letter: names of fields as labels. @param {string} name */
export function words(name) {
  const text = name.replaceAll(/[_-]+/g, ' ').trim();
  return text === '' ? name : text[0].toUpperCase() + text.slice(1);
}

/** The text of a piece of HTML. @param {string} html */
export function plain(html) {
  return /[<&]/.test(html) ? (parsed(html).textContent ?? '') : html;
}

/** A piece of HTML as elements that are in no page. @param {string} html */
export function parsed(html) {
  // Attributes with code are no danger here, but each would be reported as a breach of the policy of the page.
  const inert = html.replaceAll(/<[^>]*>/g, (tag) => tag.replaceAll(/[\s"'/]on\w+\s*=/gi, ' data-on='));
  return new DOMParser().parseFromString(inert, 'text/html').body;
}

/** @param {string} text @param {number} most */
export function cut(text, most) {
  return text.length > most ? `${text.slice(0, most).trimEnd()}…` : text;
}
