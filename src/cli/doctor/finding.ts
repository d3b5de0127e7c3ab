// What `doctor` finds.

/** `fail`: the site does not start or work; `warn`: it does, but something should be changed. */
export type Level = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. */
export interface Finding {
  level: Level;
  /** What was looked at: `database`, say. */
  about: string;
  /** What it is, or what is wrong with it and what to change. */
  message: string;
}

/** Makes findings about one thing. */
export function findingsAbout(about: string): Record<Level, (message: string) => Finding> {
  const at = (level: Level) => (message: string) => ({ level, about, message });
  return { ok: at('ok'), warn: at('warn'), fail: at('fail') };
}
