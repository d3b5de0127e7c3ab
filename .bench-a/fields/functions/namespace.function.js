export const namespace = {
    name: 'namespace',
    description: "Namespace of the API, such as cms/v2.",
    returns: { type: 'string' },
    reads: () => [],
    compile: () => (_row, { site }) => site.namespace,
};
