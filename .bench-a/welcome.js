/** The lines of the welcome. */
export function welcome(config, site) {
    const api = `${config.publicUrl}${config.apiRoot}/${config.apiNamespace}`;
    const first = [...site.models.byName.values()].find((model) => model.operations.has('list') && !model.parent);
    const { administrator } = site;
    const lines = [
        '',
        `  API    ${api}`,
        `  Docs   ${config.publicUrl}/docs`,
        ...(administrator ? [`  Login  ${administrator.username}${secret(administrator.generatedPassword)}`] : []),
        `  Try    curl ${api}/${first?.path ?? ''}`,
        '',
        '',
    ];
    return lines.join('\n');
}
function secret(password) {
    return password === undefined ? '' : ` / ${password}   (shown once: keep it)`;
}
//# sourceMappingURL=welcome.js.map