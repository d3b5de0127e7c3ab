// Validates the options of an embedded site with the code of the environment variables.
import { defaultedNames, readConfig, variableNames } from './config.js';
import { StartupError, type Problem } from '../errors/problem.js';
import { nearest } from '../text/nearest-name.js';
import type { Config } from './settings.js';
import { type TypecaseOptions, PROCESS_VARIABLES } from './options.js';

/**
 * Validates options.
 * @throws StartupError with every mistake, with the messages of the variables and the names of the options
 */
export function configOf(options: TypecaseOptions): Config {
  const names = new Set([...variableNames()].filter((name) => !PROCESS_VARIABLES.includes(name)));
  const members = new Map([...names].map((name) => [memberName(name), name]));
  const problems: Problem[] = [];
  const environment: Record<string, string> = {};
  for (const [member, value] of Object.entries(options)) {
    const name = members.get(member);
    if (name === undefined) problems.push(unknown(member, members));
    else if (value !== undefined) {
      const text = textOf(value);
      // An empty text of a variable means the default.
      if (Array.isArray(value) && value.length === 0 && defaultedNames().has(name))
        problems.push(problem(member, 'is an empty list: name something, or leave it out'));
      else if (text === undefined) problems.push(problem(member, 'is not a text, number, boolean or list of texts'));
      else environment[name] = text;
    }
  }
  try {
    const config = readConfig(environment, false);
    if (problems.length === 0) return config;
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    problems.push(...error.problems.map((each) => renamed(each, names)));
  }
  throw new StartupError(problems);
}

/** `DATABASE_URL` as a member: `databaseUrl`. */
export function memberName(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(',') : undefined;
}

function unknown(member: string, members: ReadonlyMap<string, string>): Problem {
  const near = nearest(member, members.keys());
  return {
    ...problem(member, 'there is no such option'),
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}

function problem(member: string, message: string): Problem {
  return { file: 'options', path: member, message };
}

function renamed({ path, message, hint, ...rest }: Problem, names: ReadonlySet<string>): Problem {
  const rename = (text: string) =>
    text.replaceAll(/\b[A-Z][A-Z_]+\b/g, (word) => (names.has(word) ? memberName(word) : word));
  return {
    ...rest,
    file: 'options',
    ...(path === undefined ? {} : { path: rename(path) }),
    message: rename(message),
    ...(hint === undefined ? {} : { hint: rename(hint) }),
  };
}
