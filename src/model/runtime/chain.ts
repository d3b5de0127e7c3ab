// Values that may be available synchronously: an embedded database returns no promise, and each promise costs time.

/** Continues with a value, at once unless it is a promise. */
export function chain<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Continues with two values that were requested concurrently. */
export function both<A, B, R>(
  one: A | Promise<A>,
  other: B | Promise<B>,
  next: (one: A, other: B) => R | Promise<R>,
): R | Promise<R> {
  if (!(one instanceof Promise) && !(other instanceof Promise)) return next(one, other);
  return Promise.all([one, other]).then(([first, second]) => next(first, second));
}
