// Compares texts ignoring the amount of white space. Used to decide whether a revision is stored; reads both texts
// once, without copies.
const SPACE = /\s/;

/** Whether two texts differ only in the amount of white space between words and at the ends. */
export function sameWords(one: string, other: string): boolean {
  if (one === other) return true;
  let [left, right] = [afterSpaces(one, 0), afterSpaces(other, 0)];
  while (left < one.length && right < other.length) {
    const [nextLeft, nextRight] = [afterSpaces(one, left), afterSpaces(other, right)];
    if (nextLeft > left !== nextRight > right && nextLeft < one.length && nextRight < other.length) return false;
    if (nextLeft === left && nextRight === right && one.charCodeAt(left) !== other.charCodeAt(right)) return false;
    [left, right] = nextLeft > left || nextRight > right ? [nextLeft, nextRight] : [left + 1, right + 1];
  }
  return afterSpaces(one, left) === one.length && afterSpaces(other, right) === other.length;
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  if (code > 0x20 && code < 0xa0) return false;
  return code === 0x20 || SPACE.test(String.fromCharCode(code));
}
