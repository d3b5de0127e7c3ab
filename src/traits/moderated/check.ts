// Checks the options of the trait `moderated`: fields of this resource, of the target and of accounts.
import { NAMES, type ModeratedOptions } from './parts.js';
import type { OptionCheck } from '../../model/option-check.js';

const TEXTS = ['string', 'text'];

/** Checks every name; parts that are not named have their default names. */
export function checkModerated(check: OptionCheck, options: ModeratedOptions): void {
  const { schema } = check;
  check.own('status', ['string']);
  check.referenceTo(['parent'], options.parent ?? NAMES.parent, schema);
  check.referenceToAccounts(['author'], options.author ?? NAMES.author);
  check.field(['content'], options.content ?? NAMES.content, ['rendered']);
  for (const part of ['name', 'email', 'url', 'address', 'agent'] as const)
    check.field([part], options[part] ?? NAMES[part], TEXTS);
  checkKind(check, options);
  checkTargets(check, options);
  checkCopied(check, options);
}

function checkKind(check: OptionCheck, { kind }: ModeratedOptions): void {
  const field = check.field(['kind'], kind, ['string']);
  if (field && (field.default ?? '') === '')
    check.fail(['kind'], `the field "${kind}" needs a "default": the kind that clients write`);
}

function checkTargets(check: OptionCheck, { on, accepts = {}, owner = NAMES.author, expiring = [] }: ModeratedOptions) {
  const targets = check.targets(check.field(['on'], on, ['reference']));
  if (targets.length === 0) return;
  const knows = (name: string) => targets.some((target) => Object.hasOwn(target.fields, name));
  for (const [name, value] of Object.entries(accepts)) {
    const owning = targets.find((target) => Object.hasOwn(target.fields, name));
    if (owning) check.compared(['accepts', name], name, value, owning);
    else check.field(['accepts', name], name, undefined, targets[0]!);
  }
  if (!knows(owner)) check.field(['owner'], owner, ['reference'], targets[0]!);
  for (const [index, name] of expiring.entries()) {
    const target = targets.find((each) => each.name === name);
    const names = targets.map((each) => each.name).join(', ');
    if (!target)
      check.fail(['expiring', index], `"${on}" does not lead to a resource "${name}"`, `it leads to: ${names}`);
    else check.field(['expiring', index], 'date_gmt', ['datetime'], target);
  }
}

function checkCopied(check: OptionCheck, { account }: ModeratedOptions): void {
  const accounts = check.accounts();
  for (const [ours, theirs] of Object.entries(account)) {
    check.field(['account', ours], ours, TEXTS);
    if (accounts) check.field(['account', ours], theirs, undefined, accounts);
  }
}
