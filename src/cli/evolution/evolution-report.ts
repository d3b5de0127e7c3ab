// Formats migration plans as text: a block per step with its risk, reason and SQL.
import { type Plan, placeOf, type Step } from '../../storage/migrations/step.js';
import { counted } from '../../values/value-issue.js';

/** The text of a plan; `Nothing to do.` for an empty one. */
export function formatPlan({ steps, notes }: Plan): string {
  const blocks = steps.map(formatStep);
  const said = notes.map((note) => `note         ${note}\n`);
  const end = steps.length === 0 ? 'Nothing to do.\n' : `${totals(steps)}\n`;
  return [...said, ...blocks, end].join('\n');
}

/** `safe         add column books.pages: …`, and its SQL below. */
function formatStep(step: Step): string {
  const head = `${step.risk.padEnd(12)} ${step.kind} ${placeOf(step)}: ${step.why}`;
  const hint = step.hint ? [`             ${step.hint}`] : [];
  const sql = step.risk === 'refused' ? [] : step.sql.map((line) => `             ${line};`);
  // SQLite rebuilds a table once for all changes of its columns.
  if (
    step.sql.length === 0 &&
    /(widen|narrow|convert|require|relax|add) column/.test(step.kind) &&
    step.risk !== 'refused'
  )
    sql.push(`             (with the other changes of ${step.table})`);
  return `${[head, ...hint, ...sql].join('\n')}\n`;
}

function totals(steps: readonly Step[]): string {
  const classes = ['safe', 'risky', 'destructive', 'refused'] as const;
  const counts = classes.map((risk) => ({ risk, n: steps.filter((step) => step.risk === risk).length }));
  const said = counts.filter(({ n }) => n > 0).map(({ risk, n }) => `${n} ${risk}`);
  return `${counted(steps.length, 'step')}: ${said.join(', ')}`;
}
