// Runs command lines in this process: most tests of commands need only the output and the exit code, and a separate
// process costs seconds of processor time.
import { run } from '../../src/cli.js';

/** The complete output of a command in order, its standard error alone, and its exit code. */
export interface CommandResult {
  code: number;
  output: string;
  errors: string;
}

/**
 * Runs `typecase <args>` with only `environment` as the environment. Not for commands that continue after they return,
 * and not for concurrent ones, because environment and output belong to the process.
 */
export async function runCommand(args: string[], environment: Record<string, string>): Promise<CommandResult> {
  const { env, exitCode } = process;
  const outputs = [process.stdout, process.stderr];
  const writes = outputs.map((stream) => stream.write);
  let output = '';
  let errors = '';
  try {
    process.env = { ...environment };
    process.exitCode = 0;
    for (const stream of outputs)
      stream.write = (text: string | Uint8Array) => {
        const printed = typeof text === 'string' ? text : String(Buffer.from(text));
        output += printed;
        if (stream === process.stderr) errors += printed;
        return true;
      };
    await run([process.execPath, 'typecase', ...args]);
    return { code: Number(process.exitCode), output, errors };
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    outputs.forEach((stream, at) => (stream.write = writes[at]!));
  }
}
