import { slugify } from '../text/slug.js';
/** Longest slug that is stored (decisions 23.2). */
const SLUG_LENGTH = 200;
const FORMS = {
    slug: (text) => slugify(text, SLUG_LENGTH),
    key: (text) => text.toLowerCase().replaceAll(/[^a-z0-9_-]/g, ''),
};
/** The rule, with each text of an accepted value in its form. */
export function normalized(rule, form) {
    if (!form)
        return rule;
    const clean = (value) => (typeof value === 'string' ? FORMS[form](value) : value);
    return (value, param) => {
        const checked = rule(value, param);
        if ('issue' in checked)
            return checked;
        return { value: Array.isArray(checked.value) ? checked.value.map(clean) : clean(checked.value) };
    };
}
