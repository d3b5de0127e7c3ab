// Parses the file name in a Content-Disposition header, one character at a time.

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The name in `<token>; … filename=…`: quoted or not, white space allowed, any token, any other parameters.
 * `filename*=UTF-8''…` (or ISO-8859-1) takes precedence over a plain `filename`. Undefined when the header is absent,
 * has no type before the first `;`, or has no file name. The name is as sent: sanitize it before use.
 */
export function dispositionFilename(header: string | undefined): string | undefined {
  const [type, ...parameters] = splitOutsideQuotes(header ?? '');
  if (!type || !TOKEN.test(type)) return undefined;
  const found = new Map<string, string>();
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 0) continue;
    found.set(parameter.slice(0, equals).trim().toLowerCase(), parameter.slice(equals + 1).trim());
  }
  return extended(found.get('filename*')) ?? plain(found.get('filename'));
}

function splitOutsideQuotes(header: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === ';' && !quoted) {
      pieces.push(header.slice(start, at).trim());
      start = at + 1;
    }
  }
  pieces.push(header.slice(start).trim());
  return pieces;
}

function plain(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  return fromHeaderBytes(bare.replace(/\\(["\\])/g, '$1').trim()) || undefined;
}

// Node decodes header bytes as Latin-1, yet most clients that send raw letters send UTF-8.
function fromHeaderBytes(text: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

function extended(value: string | undefined): string | undefined {
  const [charset = '', , ...rest] = value?.split("'") ?? [];
  // encodeURIComponent leaves apostrophes as they are.
  const encoded = rest.join("'");
  if (!encoded) return undefined;
  try {
    if (/^utf-8$/i.test(charset)) return decodeURIComponent(encoded);
    if (/^iso-8859-1$/i.test(charset)) return decodeLatin1(encoded);
  } catch {
    // An invalid extended name is ignored: the plain one may still be valid.
  }
  return undefined;
}

function decodeLatin1(encoded: string): string {
  return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
