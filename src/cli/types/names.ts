// Names of the generated module: made from names of resources, each given once.
import { className } from '../../text/class-name.js';

/** Members of every object and of promises, and those that every client has besides its resources. */
const TAKEN_MEMBERS = ['constructor', 'then', 'toString', 'toJSON', 'valueOf', 'hasOwnProperty', 'batch', 'atomic'];

/** Words that an identifier may hold anywhere but at its beginning. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** The names of a resource in the module. */
export interface ModuleNames {
  /** Beginning of the names of its types: `PostRevision`. */
  type: string;
  /** Member of the client: `postRevision`. */
  member: string;
}

/** Gives each resource unique names; of two that differ only in punctuation, the later one gets an underscore. */
export class NameList {
  private readonly types = new Set<string>();
  private readonly members = new Set(TAKEN_MEMBERS);

  /** Makes the names of a resource; to be called once for each. */
  add(resource: string): ModuleNames {
    const type = className(resource);
    return {
      type: unused(type, this.types),
      member: unused(`${type[0]!.toLowerCase()}${type.slice(1)}`, this.members),
    };
  }
}

function unused(wanted: string, taken: Set<string>): string {
  let name = wanted;
  while (taken.has(name)) name += '_';
  taken.add(name);
  return name;
}

/** A name as a member of an interface: in quotes unless it is an identifier. */
export function memberName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}
