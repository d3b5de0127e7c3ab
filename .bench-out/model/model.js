export const PHASES = ['authorize', 'scope', 'input', 'saved', 'remove', 'removed', 'present'];
//# sourceMappingURL=model.js.map