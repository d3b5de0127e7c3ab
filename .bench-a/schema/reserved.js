// Path segments that the engine itself answers. No resource, root or namespace may begin with one.
/** Names and paths a schema may not take. */
export const RESERVED = ['batch', 'auth', 'docs', 'uploads', 'livez', 'readyz', 'metrics'];
