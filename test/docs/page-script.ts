// Turns a page of the documentation into a shell script that does what its reader does: its commands run in their order, and the files
// that it shows are written. Every line of the script is the line of the page with the same number, so that messages of the
// shell lead to the page.

/** A page as a script. */
export interface PageScript {
  text: string;
  /** Status that a curl of a line should get, by number of the line: all lines of a command in several lines. */
  statuses: Map<number, number>;
  /** What commands need that are not run: `Docker`. */
  needs: string[];
}

const FENCE = /^```(\w*) ?(.*)$/;
/** The line before a block that shows a file ends with its name. */
const FILE = /`([\w./-]+\.\w+)`:$/;
const END_OF_FILE = 'end-of-the-file-of-the-page';

/**
 * Makes the script of a page. Blocks marked `sh` are commands, in blocks marked `console` those
 * behind `$ `; those marked `sh needs Docker` are not run. A block of any kind after a
 * line that ends with the name of a file in backticks and a colon is that file. `# 404` behind a curl is the status it gets.
 */
export function scriptOf(page: string): PageScript {
  const lines = page.split('\n');
  const script: PageScript = { text: '', statuses: new Map(), needs: [] };
  const written: string[] = [];
  let before = '';
  for (let at = 0; at < lines.length; at += 1) {
    const [, language, info] = FENCE.exec(lines[at]!) ?? [];
    if (language === undefined) {
      if (lines[at]!.trim() !== '') before = lines[at]!;
      written.push('');
      continue;
    }
    const end = lines.indexOf('```', at + 1);
    if (end === -1) throw new Error(`The block of line ${at + 1} has no end.`);
    const block = lines.slice(at + 1, end);
    written.push(...blockOf(block, { language, info: info!, file: FILE.exec(before)?.[1] }, script));
    if (language === 'sh' && info === '') noteStatuses(block, at + 2, script.statuses);
    if (language === 'console') noteResponses(block, at + 2, script.statuses);
    at = end;
    before = '';
  }
  return { ...script, text: written.join('\n') };
}

interface Block {
  language: string;
  info: string;
  file: string | undefined;
}

/** As many lines as the block has with its fences. */
function blockOf(lines: string[], { language, info, file }: Block, { needs }: PageScript): string[] {
  if (file !== undefined && language !== 'sh')
    return [`mkdir -p "$(dirname '${file}')" && cat > '${file}' <<'${END_OF_FILE}'`, ...lines, END_OF_FILE];
  const silent = Array<string>(lines.length + 2).fill('');
  if (language === 'console') return ['', ...commandsOf(lines), ''];
  if (language !== 'sh') return silent;
  if (info === '') return ['', ...lines, ''];
  needs.push(info.replace(/^needs /, ''));
  return silent;
}

/** The commands of a session, which stand behind `$ `, each in one line or with a backslash at the end of the others. */
function commandsOf(lines: string[]): string[] {
  let command = '';
  return lines.map((line) => {
    if (command === '' && !line.startsWith('$ ')) return '';
    const text = line.replace(/^\$ /, '');
    command += `${text}\n`;
    if (isWhole(command.trimEnd())) command = '';
    return text;
  });
}

/** What a session prints after a command says what the response was: `{"code": …, "data": {"status": 400}}`. */
function noteResponses(lines: string[], first: number, statuses: Map<number, number>): void {
  let command = -1;
  lines.forEach((line, at) => {
    if (line.startsWith('$ ')) command = at;
    const status = /"data":\{"status":(\d{3})/.exec(line)?.[1];
    if (status && !line.startsWith('$ ')) statuses.set(first + command, Number(status));
  });
}

function noteStatuses(lines: string[], first: number, statuses: Map<number, number>): void {
  let begin = 0;
  lines.forEach((line, at) => {
    const status = /\s#.*?\b([2-5]\d\d)\b/.exec(line)?.[1];
    if (status) for (let each = begin; each <= at; each += 1) statuses.set(first + each, Number(status));
    if (isWhole(lines.slice(begin, at + 1).join('\n'))) begin = at + 1;
  });
}

/** Whether a command ends here: no open quote, no backslash at the end. */
function isWhole(command: string): boolean {
  const open = command.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|\\["']/g, '').replace(/#.*$/gm, '');
  return !/["']/.test(open) && !command.endsWith('\\');
}
