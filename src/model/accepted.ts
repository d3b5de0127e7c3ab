// Checks of the database that an operator can skip at a start.

/**
 * `leftovers`: new fields and tables are new, whatever is left over; `values`: stored values that a rule no longer allows
 * stay; `other-site`: the database is used although it holds the rows of other resources.
 */
export const ACCEPTABLE = ['leftovers', 'values', 'other-site'] as const;

export type Accepted = (typeof ACCEPTABLE)[number];
