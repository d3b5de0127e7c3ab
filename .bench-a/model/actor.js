// Who is asking, and what the site lets each role do. Made by auth/, read by rules and traits.
export const ANONYMOUS = { id: 0, roles: [], capabilities: new Set(), address: '127.0.0.1', agent: '' };
