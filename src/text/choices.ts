// Lists of allowed values in messages.

/** `a, b or c`, for messages. */
export function choices(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** `must be one of "a" or "b"`, `must be ""`. */
export function mustBe(allowed: readonly unknown[]): string {
  const words = allowed.map((value) => JSON.stringify(value));
  return `must be ${words.length > 1 ? 'one of ' : ''}${choices(words)}`;
}
