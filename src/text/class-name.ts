// Names of types made from names of resources.

/** `book-loan` as `BookLoan`. */
export function className(name: string): string {
  return name.replaceAll(/(?:^|\W|_)+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
