// Checks the options of the trait `account`: fields of the right types, parameters, lengths.
import type { OptionCheck } from '../../model/option-check.js';
import type { AccountOptions } from './options.js';

const TEXTS = ['string', 'text', 'slug'];

/** Checks every name; `options` have their defaults. */
export function checkAccount(check: OptionCheck, options: AccountOptions): void {
  const { schema } = check;
  check.field(['username'], options.username, ['string']);
  check.field(['email'], options.email, ['string', 'email']);
  check.field(['password'], options.password, ['password']);
  check.field(['roles'], options.roles, ['strings']);
  check.field(['extra'], options.extra, ['object', 'text']);
  if (options.registered !== undefined) check.field(['registered'], options.registered, ['datetime']);
  if (options.locale !== undefined) check.field(['locale'], options.locale, ['string']);
  for (const name of Object.keys(options.tooLong)) {
    const field = check.field(['tooLong', name], name, TEXTS);
    if (field && (field.columnLength ?? field.maxLength) === undefined)
      check.fail(
        ['tooLong', name],
        `the field "${name}" has no longest length`,
        'give it "columnLength" or "maxLength"',
      );
  }
  for (const [name, groups] of Object.entries(options.fallbacks)) {
    check.field(['fallbacks', name], name, TEXTS);
    for (const [row, group] of groups.entries())
      for (const [place, other] of group.entries()) check.field(['fallbacks', name, row, place], other, TEXTS);
  }
  const { authors } = options;
  if (authors && !schema.params?.[authors.param])
    check.fail(['authors', 'param'], `there is no list parameter "${authors.param}"`, 'declare it under "params"');
  const first = check.accounts();
  if (first && first.name !== schema.name)
    check.fail([], `"${first.name}" holds the accounts of this site already; a site has one such resource`);
}
