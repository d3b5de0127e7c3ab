export const flags = {
    name: 'flags',
    description: 'The names in `column` as an object of true.',
    returns: { type: 'object', properties: {} },
    reads: ({ column }) => [String(column)],
    compile: ({ column }) => (row) => Object.fromEntries((row[String(column)] ?? []).map((name) => [name, true])),
};
