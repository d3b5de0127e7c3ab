// The `Accept` header of a request: which media types the client prefers.

/** Ranges of media types that JSON is in, from the narrowest to the widest. */
export const JSON_RANGES = ['application/json', 'application/*', '*/*'];

/** The weights (`q`) of the media types and ranges of an `Accept` header, 0 for those that are not numbers. */
export function acceptWeights(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => /^q\s*=/.test(text));
    const value = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1));
    if (name !== '') weights.set(name, Number.isNaN(value) ? 0 : value);
  }
  return weights;
}
