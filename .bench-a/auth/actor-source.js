import { clientAddress } from './client-address.js';
const HEADER = /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]+(.*))?$/s;
const NOTHING = new Set();
/** Makes the actor of a request. */
export class ActorSource {
    parts;
    constructor(parts) {
        this.parts = parts;
    }
    /** The caller. Throws 401, or 429 after too many failures. */
    async actorOf(request) {
        const address = this.addressOf(request);
        const agent = request.headers['user-agent'] ?? '';
        const proof = await this.proofOf(request.headers.authorization, address);
        if (!proof)
            return { id: 0, roles: [], capabilities: NOTHING, address, agent };
        const { account, via, applicationPassword } = proof;
        const actor = {
            id: account.id,
            roles: account.roles,
            capabilities: this.capabilitiesOf(account),
            address,
            agent,
            via,
        };
        return applicationPassword === undefined ? actor : { ...actor, applicationPassword };
    }
    /** Address of the client. */
    addressOf(request) {
        return clientAddress(request, this.parts.trustProxy);
    }
    async proofOf(header, address) {
        const [, scheme = '', credentials = ''] = HEADER.exec(header?.trim() ?? '') ?? [];
        switch (scheme.toLowerCase()) {
            case 'basic':
                return this.parts.basic.verify(credentials, address);
            case 'bearer':
                return this.parts.bearer && { account: await this.parts.bearer.verify(credentials), via: 'token' };
            default:
                return undefined;
        }
    }
    capabilitiesOf(account) {
        const ofRoles = this.parts.roles.capabilitiesOf(account.roles);
        const extra = Object.entries(account.extra);
        if (extra.length === 0)
            return ofRoles;
        const all = new Set(ofRoles);
        for (const [capability, given] of extra) {
            if (given)
                all.add(capability);
            else
                all.delete(capability);
        }
        return all;
    }
}
