export const PHASES = ['prepare', 'authorize', 'scope', 'input', 'saved', 'remove', 'removed', 'present'];
