// Which class the change of a column's type has, and what to ask the data first. Called by plan-columns.ts.
import type { ColumnModel } from '../../model/model.js';
import { type Form, sameForm } from './form.js';
import type { LiveField } from './live-schema.js';
import { lookAt, stepOf, type TablePlan } from './plan-columns.js';
import type { Look, Risk, Step, StepKind } from './step.js';

const FREE = 1_000_000_000;
const EXACT = '9007199254740991';

/** Not allowed to say otherwise: texts that a JSON field would not show, hashes that an answer would. */
const CLOSED: readonly (string | undefined)[] = ['object', 'array', 'hash'];

/**
 * The step of a column that keeps its form and comes to mean something else, or the doubts that go with a change of form:
 * a text that is no date must not end in a field of dates.
 */
export function meaningStep(
  plan: TablePlan,
  column: ColumnModel,
  live: LiveField,
  { from, to }: { from: Form; to: Form },
  name: string,
): Step | undefined {
  const before = plan.held?.get(`${plan.table.name}.${live.origin}`);
  const after = column.holds;
  const known = plan.held !== undefined;
  const changed = known ? before !== after : after !== undefined && !sameForm(from, to);
  if (!changed || (after === undefined && !CLOSED.includes(before))) return undefined;
  // The text of a structure is a text.
  if (after === undefined && before !== 'hash' && to.family === 'text') return undefined;
  const said = `from ${before ?? 'text'} to ${after ?? 'text'}`;
  const dates = after === 'date' || after === 'datetime';
  const text = from.family === 'text';
  const fits = dates && text ? `(${name} = '' OR ${plan.words.dated(name, after)})` : `${name} = ''`;
  const fine = text ? fits : '1 = 0';
  const look = lookAt(plan, `${name} IS NOT NULL AND NOT (${fine})`, {
    risk: 'refused',
    why:
      dates && text
        ? `values are no ${after === 'date' ? DATE : DATETIME}`
        : `values would change their meaning, ${said}`,
    hint: 'Change these values first, or keep the old type and use another column ("column" of the field).',
  });
  return { ...stepOf(plan, 'convert column', column.name, 'safe', said), looks: [look] };
}

const DATE = 'date (YYYY-MM-DD)';
const DATETIME = 'date and time (YYYY-MM-DDTHH:MM:SS)';

/** The step from one form to another: its class follows from what the forms can hold, and from what the rows do hold. */
export function formStep(
  plan: TablePlan,
  column: ColumnModel,
  live: LiveField,
  form: { from: Form; to: Form },
  name: string,
): Step {
  const { from, to } = form;
  const { words } = plan;
  const said = `from ${live.type || 'no type'} to ${words.typeText(plan.table, column)}`;
  const step = (kind: StepKind, risk: Risk, looks?: Look[]): Step => ({
    ...stepOf(plan, kind, column.name, risk, said),
    ...(looks ? { looks } : {}),
  });
  const unless = (condition: string, why: string): Look[] => [
    lookAt(plan, `${name} IS NOT NULL AND NOT (${condition})`, {
      risk: 'refused',
      why,
      hint: 'Change these values first, or keep the old type and use another column.',
    }),
  ];
  const short = unless(`${words.characters(name)} <= ${to.most}`, `values are longer than ${to.most} characters`);
  const foreign = `values are no ${to.family === 'double' ? 'number' : to.family}`;
  switch (`${from.family} ${to.family}`) {
    case 'text text':
      if (to.most >= from.most) return step('widen column', 'safe');
      // Wider than the schema wants harms nobody.
      return { ...step('narrow column', from.loose ? 'safe' : 'risky', short), optional: !from.loose };
    case 'integer integer':
    case 'boolean integer':
      return step(from.family === 'integer' ? 'widen column' : 'convert column', 'safe');
    case 'integer double':
      return step('convert column', 'safe', unless(`ABS(${name}) <= ${EXACT}`, 'values are too large'));
    case 'integer text':
    case 'boolean text':
      return step('convert column', 'safe', to.most < FREE && to.most < 20 ? short : undefined);
    case 'double text':
      return step('convert column', 'risky', to.most < 24 ? short : undefined);
    case 'text integer':
      return step('convert column', 'risky', unless(words.whole(name), foreign));
    case 'text double':
      return step('convert column', 'risky', unless(words.numeric(name), foreign));
    case 'text boolean':
      return step('convert column', 'risky', unless(`${name} IN ('0', '1')`, foreign));
    case 'integer boolean':
    case 'double boolean':
      return step('convert column', 'risky', unless(`${name} IN (0, 1)`, foreign));
    case 'double integer':
      return step('convert column', 'risky', unless(`ROUND(${name}) = ${name} AND ABS(${name}) <= ${EXACT}`, foreign));
    case 'boolean double':
      return step('convert column', 'safe');
    default:
      return {
        ...step('convert column', 'refused'),
        why: `${said}: not known how`,
        hint: 'Use a column of another name.',
      };
  }
}
