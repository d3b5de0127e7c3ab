// A command line run in this process: most tests of commands need what it prints and its exit code, and a process of its own
// costs seconds of processor time.
import { run } from '../../src/cli.js';

/** What a command printed, in the order it came, what of it on standard error, and its exit code. */
export interface CommandResult {
  code: number;
  output: string;
  errors: string;
}

/**
 * Runs `typecase <args>` with nothing in the environment but `environment`. Not for commands that go on after they return, and not for
 * two at a time: environment and output belong to the process.
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
