// Requests to the API, and the paths of this server. Responses are JSON; requests are signed in by `Authorization` alone.
import { authorization, renew } from './session.js';

const { home = '', root = '', namespace = '', api = '', title = '' } = document.documentElement.dataset;

/** Paths as the browser sees them: of the API root and of the namespace, without a slash at their end. */
export const ROOT = home + root;
export const BASE = `${ROOT}/${namespace}`;
export const TITLE = title;
export const FILES = `${home}/uploads/`;
/** The URL in links of the API that stands for the server. */
const PUBLIC = api.slice(0, api.length - root.length - 1);

/**
 * @typedef {object} ApiResponse
 * @property {number} status
 * @property {boolean} ok
 * @property {Headers} headers
 * @property {any} body
 * @property {string[]} allow methods that the caller may use at the URL
 */

/**
 * Sends a request to a path of this server. Objects are sent as JSON.
 * @param {string} path
 * @param {{ method?: string, body?: unknown, headers?: Record<string, string>, anonymous?: boolean }} [options]
 * @returns {Promise<ApiResponse>}
 */
export async function request(path, options = {}) {
  const response = await send(path, options);
  if (response.status !== 401 || options.anonymous || !(await renew(response.body?.code))) return response;
  return send(path, options);
}

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown, headers?: Record<string, string>, anonymous?: boolean }} options
 * @returns {Promise<ApiResponse>}
 */
async function send(path, { method = 'GET', body, headers = {}, anonymous = false }) {
  const signed = anonymous ? undefined : await authorization();
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    headers: {
      Accept: 'application/json',
      ...(signed ? { Authorization: signed } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (!response) return failed('The server cannot be reached.');
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return failed('The connection ended before the whole response had arrived.');
  return responseOf(response.status, response.headers, text);
}

/**
 * Sends a form with a file, which may take a while.
 * @param {string} path
 * @param {FormData} form
 * @param {(part: number) => void} progress called with the part that was sent, from 0 to 1
 * @returns {Promise<ApiResponse>}
 */
export async function sendFile(path, form, progress) {
  const signed = await authorization();
  const sending = new XMLHttpRequest();
  sending.open('POST', path);
  sending.setRequestHeader('Accept', 'application/json');
  if (signed) sending.setRequestHeader('Authorization', signed);
  sending.upload.addEventListener('progress', ({ loaded, total }) => progress(total > 0 ? loaded / total : 0));
  const ended = new Promise((resolve) => sending.addEventListener('loadend', resolve));
  sending.send(form);
  await ended;
  const { status, responseText } = sending;
  if (status === 0) return failed('The server cannot be reached, or has refused the file before it was sent.');
  const headers = new Headers({ Allow: sending.getResponseHeader('Allow') ?? '' });
  return responseOf(status, headers, responseText);
}

/** @param {number} status @param {Headers} headers @param {string} text @returns {ApiResponse} */
function responseOf(status, headers, text) {
  const allow = (headers.get('Allow') ?? '').split(',').map((name) => name.trim());
  try {
    return {
      status,
      ok: status >= 200 && status < 300,
      headers,
      body: text === '' ? undefined : JSON.parse(text),
      allow,
    };
  } catch {
    return failed('The response is not JSON.');
  }
}

/** @param {string} message @returns {ApiResponse} */
function failed(message) {
  return { status: 0, ok: false, headers: new Headers(), body: { code: 'no_response', message }, allow: [] };
}

/** The OPTIONS of a path; undefined where there are none. @param {string} path */
export async function optionsOf(path) {
  const response = await request(path, { method: 'OPTIONS' });
  return response.ok ? { ...response.body, allow: response.allow } : undefined;
}

/** Arguments of a method in an OPTIONS document. @param {any} options @param {string} method */
export function argumentsOf(options, method) {
  return options?.endpoints?.find((/** @type {any} */ each) => each.methods.includes(method))?.args ?? {};
}

/** The path on this server of an absolute link of the API; undefined for other URLs. @param {string} href */
export function pathOf(href) {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (!url) return undefined;
  if (`${href}/`.startsWith(`${PUBLIC}/`) || href.startsWith(`${PUBLIC}?`)) return home + href.slice(PUBLIC.length);
  return url.origin === location.origin ? url.pathname + url.search : undefined;
}

/** The same for URLs that the API handles. @param {string} href */
export function apiPathOf(href) {
  const path = pathOf(href);
  if (path === undefined || href.includes('{')) return undefined;
  const plain = path.split('?')[0];
  return plain === BASE || plain.startsWith(`${BASE}/`) || plain === `${ROOT}/` ? path : undefined;
}

/** The path of an uploaded file. @param {unknown} href */
export function filePathOf(href) {
  const path = typeof href === 'string' ? pathOf(href) : undefined;
  return path?.startsWith(FILES) ? path : undefined;
}

/** A path with parameters. @param {string} path @param {Record<string, any>} params */
export function withQuery(path, params) {
  return withChangedQuery(path, '', params);
}

/**
 * A path with the parameters of a query string, some of them changed: undefined and empty ones are removed, repeated ones
 * stay.
 * @param {string} path
 * @param {string} search
 * @param {Record<string, any>} changes
 */
export function withChangedQuery(path, search, changes) {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}
