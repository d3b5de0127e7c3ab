// Replaces `@jest/globals`; evaluated once per spec file.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test, xdescribe, xit, xtest } =
  globalThis.JEST_GLOBALS;
