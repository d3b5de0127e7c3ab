export const constant = {
    name: 'constant',
    description: 'The constant in `value`.',
    returns: { type: 'string' },
    reads: () => [],
    compile: ({ value }) => () => value,
};
