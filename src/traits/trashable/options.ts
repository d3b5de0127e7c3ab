// Options of the trait trashable.

/** Options of the trait `trashable`. */
export interface TrashableOptions {
  /** Other resources whose items are hidden along with this one: their reference field and the status they get. */
  with?: { resource: string; field: string; mark: string }[];
  /** The trait keeps a status of its own, for resources without one. */
  hidden?: boolean;
  /** Columns set when an item is moved to the trash. */
  resets?: Record<string, string | number | boolean>;
}
