// The first account of an empty site (decisions 8.4). Called once at boot, after the tables are there; main prints what it returns.
import { randomInt } from 'node:crypto';
// Nothing that is easily taken for something else.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 20;
/** Makes the administrator while there are no accounts; undefined when there is one, or the site keeps none. */
export async function makeFirstAdministrator(accounts, writer, parts, settings) {
    if (!accounts || (await accounts.any()))
        return undefined;
    const generatedPassword = settings.password === undefined ? generate() : undefined;
    const hash = await parts.hasher.hash(settings.password ?? generatedPassword);
    const { fields, model } = accounts;
    const values = {
        [fields.username]: settings.username,
        [fields.email]: settings.email,
        [fields.password]: hash,
        [fields.roles]: [parts.roles.firstAccount],
    };
    const make = () => writer.batch(async ({ tx, create }) => ((await accounts.any(tx)) ? undefined : create(model.name, values)));
    const id = await make().catch(async (error) => {
        // Another process that started with us was faster.
        if (await accounts.any())
            return undefined;
        throw error;
    });
    if (id === undefined)
        return undefined;
    const made = { id, username: settings.username };
    return generatedPassword === undefined ? made : { ...made, generatedPassword };
}
/** A password that can be read aloud: 116 bits. */
function generate() {
    return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
