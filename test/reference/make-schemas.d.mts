// What make-schemas.mjs gives to TypeScript.
export const target: string;
export const registeredMeta: Record<string, Record<string, object>>;
export function referenceSchemas(): Map<string, Record<string, unknown>>;
