// Rules of a value from a client: coercion and constraints of decisions 2.9 to 2.13. Compiled from JSON Schema keywords by fields/.
export {};
