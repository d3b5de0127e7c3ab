// Who is signed in. Tokens and application passwords are stored for this tab alone, in no cookie, and sent by our script
// only: another site cannot make a browser use them.

const KEY = 'typecase-session';
const { home = '', root = '' } = document.documentElement.dataset;
const AUTH = `${home}${root}/auth`;
/** Milliseconds before its end from which a token is renewed. */
const EARLY = 30_000;

/**
 * @typedef {{ kind: 'basic', user: string, value: string }} BasicSession
 * @typedef {{ kind: 'bearer', user: string, access: string, refresh: string, until: number }} BearerSession
 */

/** @returns {BasicSession | BearerSession | undefined} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '') ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {BasicSession | BearerSession} session */
function write(session) {
  sessionStorage.setItem(KEY, JSON.stringify(session));
}

/** The name that is signed in. */
export function userName() {
  return read()?.user;
}

/** Value of the header `Authorization`; undefined when signed out. */
export async function authorization() {
  const session = read();
  if (session?.kind === 'bearer' && session.until - EARLY < Date.now()) await refresh(session);
  const now = read();
  if (!now) return undefined;
  return now.kind === 'basic' ? `Basic ${now.value}` : `Bearer ${now.access}`;
}

/** After a 401: a new token, if one can be had. Whether the request is worth another try. @param {string | undefined} code */
export async function renew(code) {
  const session = read();
  if (session?.kind === 'basic' && code === 'incorrect_password') sessionStorage.removeItem(KEY);
  if (session?.kind !== 'bearer' || code !== 'rest_invalid_token') return false;
  return refresh(session);
}

/** @type {Promise<boolean> | undefined} */
let refreshing;

/** One request at a time: a refresh token is good for one use. @param {BearerSession} session */
function refresh(session) {
  refreshing ??= requestToken({ grant_type: 'refresh_token', refresh_token: session.refresh }, session.user)
    .then(({ ok, status }) => {
      // A server that is down or busy has not refused the token.
      if (!ok && status >= 400 && status < 429) sessionStorage.removeItem(KEY);
      return ok;
    })
    .finally(() => (refreshing = undefined));
  return refreshing;
}

/**
 * @param {Record<string, string>} credentials
 * @param {string} user
 */
async function requestToken(credentials, user) {
  const response = await fetch(`${AUTH}/token`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(credentials),
  }).catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  if (!response?.ok || !body?.access_token)
    return { ok: false, status: response?.status ?? 0, message: body?.message ?? 'The server cannot be reached.' };
  const until = Date.now() + body.expires_in * 1000;
  write({ kind: 'bearer', user, access: body.access_token, refresh: body.refresh_token, until });
  return { ok: true, status: 200, message: '' };
}

/**
 * Signs in with the password of the account. The message of a refusal, or nothing.
 * @param {string} user
 * @param {string} password
 */
export async function signIn(user, password) {
  const { ok, message } = await requestToken({ username: user, password }, user);
  return ok ? undefined : message;
}

/**
 * Signs in with an application password, which is tried at a path.
 * @param {string} user
 * @param {string} password
 * @param {string} path
 */
export async function signInToApplication(user, password, path) {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  const value = btoa(String.fromCharCode(...bytes));
  const headers = { Authorization: `Basic ${value}`, Accept: 'application/json' };
  const response = await fetch(path, { headers, credentials: 'omit' }).catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  if (!response?.ok) return body?.message ?? 'The server cannot be reached.';
  write({ kind: 'basic', user, value });
  return undefined;
}

/** Forgets the session here, and ends the tokens. */
export async function signOut() {
  const session = read();
  sessionStorage.removeItem(KEY);
  if (session?.kind !== 'bearer') return;
  await fetch(`${AUTH}/revoke`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: session.refresh }),
  }).catch(() => undefined);
}
