/** Thrown by a unit that is not imported, with the reason. */
export class Skipped extends Error {
}
//# sourceMappingURL=import-unit.js.map