// The findings of `doctor`.

/** `fail`: the site does not start or work; `warn`: it does, but something should be changed. */
export type Level = 'ok' | 'warn' | 'fail';

/** The result of one check. */
export interface Finding {
  level: Level;
  /** The subject of the check, such as `database`. */
  about: string;
  /** Its state, or what is wrong with it and what to change. */
  message: string;
}

/** Makes findings about one subject. */
export function findingsAbout(about: string): Record<Level, (message: string) => Finding> {
  const at = (level: Level) => (message: string) => ({ level, about, message });
  return { ok: at('ok'), warn: at('warn'), fail: at('fail') };
}
