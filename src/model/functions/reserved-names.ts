// Names that mean something to JavaScript.

/** Names that would reach the prototype of an object: what is sent under them is dropped like unknown members. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
