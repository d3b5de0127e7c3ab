// Checks the parameters of lists, items and deletions against their compiled rules (decisions 2.7 to 2.14). Called for every read.
import { invalidParams, ResourceError } from '../errors/resource-error.js';
/** The known parameters, coerced, with defaults for those not sent. Throws all refusals as one error. */
export function validateParams(params, sent) {
    requireParams(params, sent);
    const values = {};
    const issues = [];
    for (const [name, param] of params) {
        const given = sent[name];
        if (given === undefined || given === null)
            useDefault(values, param);
        else {
            const checked = param.rule(given, name);
            if (!('issue' in checked))
                values[name] = checked.value;
            else if (param.schema.lenient)
                useDefault(values, param);
            else
                issues.push({ ...checked.issue, param: name });
        }
    }
    if (issues.length > 0)
        throw invalidParams(issues);
    return values;
}
/** The refusal of what was left out (decisions 3.5). */
export function missingParams(names) {
    return new ResourceError('rest_missing_callback_param', {
        status: 400,
        message: `Missing parameter(s): ${names.join(', ')}. Send them too.`,
        data: { status: 400, params: names },
    });
}
function requireParams(params, sent) {
    const missing = [];
    for (const [name, param] of params) {
        if (param.schema.required === true && (sent[name] === undefined || sent[name] === null))
            missing.push(name);
    }
    if (missing.length > 0)
        throw missingParams(missing);
}
function useDefault(values, param) {
    if (param.schema.default !== undefined)
        values[param.name] = param.schema.default;
}
