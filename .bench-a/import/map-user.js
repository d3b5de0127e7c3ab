import { fitted } from './fit-values.js';
/** A domain that no mail can reach (RFC 2606): accounts of old exports have no address, and ours must have one of their own. */
const NOWHERE = 'import.invalid';
/** Values of a user. `created` adds what only a new one gets: role and a password that nobody knows. */
export function userChange(model, author, login, created) {
    const first = author.firstName.trim();
    const last = author.lastName.trim();
    const email = author.email.trim();
    const values = {
        name: author.displayName.trim() || [first, last].filter(Boolean).join(' ') || login,
        first_name: first,
        last_name: last,
        ...(email || created ? { email: email || `${login.replace(/[^\w.-]/g, '-')}@${NOWHERE}` } : {}),
        ...(created ? { username: login, nickname: login, roles: [created.role] } : {}),
    };
    const column = model.fields.get('password')?.column ?? 'password';
    return fitted(model, values, created ? { [column]: created.passwordHash } : {}, ['first_name', 'last_name']);
}
//# sourceMappingURL=map-user.js.map