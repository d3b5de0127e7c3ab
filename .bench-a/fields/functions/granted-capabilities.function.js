export const grantedCapabilities = {
    name: 'granted-capabilities',
    description: 'Capabilities of an account as an object of true: all of them, or with `direct` those assigned to it alone.',
    returns: { type: 'object', properties: {} },
    reads: ({ extra = 'extra' }) => ['id', String(extra)],
    compile({ roles = 'roles', extra = 'extra', direct }) {
        return (row, { site }) => {
            const names = (row[`#${String(roles)}`] ?? []);
            const stored = row[String(extra)];
            const own = { ...Object.fromEntries(names.map((name) => [name, true])), ...(stored ? JSON.parse(stored) : {}) };
            if (direct)
                return own;
            const granted = {};
            for (const capability of site.capabilitiesOf(names))
                granted[capability] = true;
            return { ...granted, ...own };
        };
    },
};
