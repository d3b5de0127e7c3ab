// Texts that are stored for a while and must not be readable in the database: sealed with the site's secret and with a text that
// only their owner has.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secret } from './secret.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a text; `owned`: what has to be sent to open it again. */
export function seal(secret: Secret, owned: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret, owned), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text; undefined where the secret, or what has to be sent, is another one. */
export function unseal(secret: Secret, owned: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, keyOf(secret, owned), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(tag);
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(secret: Secret, owned: string): Buffer {
  return Buffer.from(secret.fingerprint('sealed-text', owned), 'base64url');
}
