// The form in which logins and e-mail addresses are compared and kept unique. Called where accounts are written and looked up.
/** Two names with the same key are the same account (decisions 15.12, 15.13). */
export function accountKey(name) {
    return name.trim().normalize('NFKC').toLowerCase();
}
