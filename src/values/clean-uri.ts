// Sanitizes URIs: they are never rejected, only made safe.

const PROTOCOLS = new Set([
  'http',
  'https',
  'ftp',
  'ftps',
  'mailto',
  'news',
  'irc',
  'ircs',
  'gopher',
  'nntp',
  'feed',
  'telnet',
  'mms',
  'rtsp',
  'sms',
  'svn',
  'tel',
  'fax',
  'xmpp',
  'webcal',
  'urn',
]);

// Characters that end an attribute or a header, and lone surrogates. Spaces inside are encoded before.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029<>"`{}^\\\p{Surrogate}]/gu;
const HOST_AND_PORT = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+):\d{1,5}(?:[/?#]|$)/i;

/** Removes control characters, encodes spaces, empties URIs with unknown protocols, adds `http://` to a bare host. */
export function cleanUri(text: string): string {
  const uri = text.replace(UNSAFE, '').trim().replace(/\s/g, '%20');
  if (uri === '' || /^[/?#]/.test(uri)) return uri;
  // Browsers decode a colon written as a character reference.
  const colon = uri.search(/:|&#0*58;?|&#x0*3a;?|&colon;?/i);
  if (colon < 0) return `http://${uri}`;
  const scheme = uri.slice(0, colon);
  if (PROTOCOLS.has(scheme.toLowerCase())) return uri;
  if (HOST_AND_PORT.test(uri) || /[/?#]/.test(scheme)) return `http://${uri}`;
  return '';
}

/** Whether a text is an absolute URI with a known scheme and without characters that would have to be encoded. */
export function isSafeUri(text: string): boolean {
  if (text.search(UNSAFE) >= 0 || /\s/.test(text) || !URL.canParse(text)) return false;
  const scheme = text.slice(0, text.indexOf(':')).toLowerCase();
  return PROTOCOLS.has(scheme) && text.length > scheme.length + 1;
}
