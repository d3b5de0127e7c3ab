// Path segments reserved for routes of the engine itself. No resource, root or namespace may begin with one.

/** Names and paths that a schema may not use. */
export const RESERVED: readonly string[] = ['batch', 'auth', 'docs', 'uploads', 'livez', 'readyz', 'metrics'];

/** Folder of the files of the pages for browsers, below the API root. No schema can use the name: it begins with `_`. */
export const PAGES_FOLDER = '_page';
