// Step of the WXR import: the accounts. Called by wxr-import before anything that belongs to them.
import { randomBytes } from 'node:crypto';
import { equals } from '../model/query.js';
import { settleIn } from './import-session.js';
import { contentHash } from './import-table.js';
import { userChange } from './map-user.js';
import { wholeNumber } from './wxr-text.js';
/** Imports all authors; an account with the same login or e-mail address is used as it is. */
export async function importUsers(session, units) {
    const model = session.stored('user');
    if (!model)
        return;
    const { settings, hasRole } = session.writer.site;
    const role = hasRole('author') ? 'author' : settings.defaultRole;
    // A secret that nobody keeps: the accounts open by a new password alone. Hashed here, for it is too slow for a transaction.
    const passwordHash = session.dryRun ? '' : await session.writer.site.hashPassword(randomBytes(32).toString('base64url'));
    for (const [login, author] of session.inventory.authors)
        await units.add(userUnit(session, model, login, author, { role, passwordHash }));
    await units.flush();
}
function userUnit(session, model, login, author, created) {
    const email = author.email.trim().toLowerCase();
    return {
        model,
        key: login,
        line: author.line,
        label: login,
        hash: contentHash(author),
        wantedId: wholeNumber(author.id),
        highestId: session.inventory.highest.author,
        weight: 1000,
        same: (reader) => sameUser(model, login, author.email.trim(), reader),
        change: async (_reader, existing) => userChange(model, author, login, existing ? undefined : created),
        settle(id) {
            settleIn(session.users, login, id);
            if (author.id.trim())
                settleIn(session.usersBySource, `id:${wholeNumber(author.id)}`, id);
            if (email)
                settleIn(session.usersBySource, `email:${email}`, id);
        },
    };
}
async function sameUser(model, login, email, reader) {
    const column = (name) => model.fields.get(name)?.column ?? name;
    const wanted = [
        ...new Set([login, login.toLowerCase()].map((value) => `${column('username')}\n${value}`)),
        ...(email ? new Set([email, email.toLowerCase()].map((value) => `${column('email')}\n${value}`)) : []),
    ];
    for (const pair of wanted) {
        const [name, value] = pair.split('\n');
        const row = await reader.first(model.table.name, ['id'], equals(name, value));
        if (row)
            return Number(row['id']);
    }
    return undefined;
}
//# sourceMappingURL=import-users.js.map