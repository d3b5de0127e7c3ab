// What the operator decided about the site: addresses, clock, and the settings of decisions 24. Made by config.ts.
export {};
