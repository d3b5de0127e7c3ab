// Differences between the reference and this engine that the decisions ask for, each with its number. Called by the replay;
// whatever no rule here explains fails a test.
import type { Recording } from './content.js';
import type { Difference } from './differences.js';

/** Why a difference is as it should be. */
export interface Declared {
  /** Number in decisions.md. */
  decision: string;
  what: string;
  fits(difference: Difference, recording: Recording): boolean;
}

type Fits = Declared['fits'];

/** A difference at a place of the response. */
const at =
  (path: RegExp, more: Fits = () => true): Fits =>
  (difference, recording) =>
    path.test(difference.path) && more(difference, recording);
const on =
  (url: RegExp, fits: Fits): Fits =>
  (difference, recording) =>
    url.test(recording.request.url) && fits(difference, recording);
const named =
  (names: string[], fits: Fits = () => true): Fits =>
  (difference, recording) =>
    names.includes(recording.name) && fits(difference, recording);
const options =
  (fits: Fits): Fits =>
  (difference, recording) =>
    recording.request.method === 'OPTIONS' && fits(difference, recording);
const status = (recorded: string, ours: string): Fits =>
  at(/^status$/, (found) => found.recorded === recorded && found.ours === ours);
const either =
  (...rules: Fits[]): Fits =>
  (difference, recording) =>
    rules.some((fits) => fits(difference, recording));
const absent: Fits = ({ ours }) => ours === undefined;
const added: Fits = ({ recorded }) => recorded === undefined;

const POSTS = /\/(?:posts|pages|media)\b/;
const SERVER_URL = /^http:\/\/127\.0\.0\.1:8081\//;
const COUNTS = /^header (?:x-wp-total|x-wp-totalpages|link next)$/;

export const DECLARED: Declared[] = [
  // Members of bodies.
  {
    decision: '22.8',
    what: 'status is shown in edit context only',
    fits: on(POSTS, at(/^body(?:\[\])?\.status$/, absent)),
  },
  {
    decision: '22.9',
    what: 'posts have no permalink_template and no generated_slug',
    fits: on(/\/posts/, at(/\.(?:permalink_template|generated_slug)$/, absent)),
  },
  { decision: '22.4', what: 'posts have liveblog_likes', fits: on(/\/posts/, at(/\.liveblog_likes$/, added)) },
  {
    decision: '1.9',
    what: 'empty objects are {}',
    fits: ({ recorded, ours }) => isEmptyList(recorded) && isEmptyObject(ours),
  },
  {
    decision: '0.22',
    what: 'responses of creates in batches have a tag',
    fits: on(/\/batch\//, at(/^body\.responses\[\]\.headers\.ETag$/, added)),
  },
  {
    decision: '5.3',
    what: 'self links of items say what is allowed',
    fits: at(/_links\.self\[\]\.targetHints$/, added),
  },
  {
    decision: '10.1',
    what: 'guid is ?p= for posts and ?page_id= for pages',
    fits: at(
      /\.guid\.(?:rendered|raw)$/,
      ({ recorded, ours }) => SERVER_URL.test(String(recorded)) && /\/\?(?:p|page_id)=\d+$/.test(String(ours)),
    ),
  },
  {
    decision: '10.9',
    what: 'avatar hashes are SHA-256',
    fits: at(/avatar_urls\.\d+$/, ({ ours }) =>
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{64}\?s=\d+&d=mm&r=g$/.test(String(ours)),
    ),
  },
  { decision: '25.5', what: 'cut excerpts end in [&hellip;]', fits: at(/\.excerpt\.rendered$/, sameBeforeTail) },
  {
    decision: '25.3',
    what: 'titles have no prefix and no stand-in',
    fits: at(
      /\.title\.rendered$/,
      ({ recorded, ours }) => (recorded === 'Untitled' && ours === '') || recorded === `Private: ${String(ours)}`,
    ),
  },
  {
    decision: '18.2',
    what: 'texts and guid of revisions are strings',
    fits: on(
      /\/revisions/,
      at(/^body\[\]\.(?:guid|title|content|excerpt)$/, ({ ours }) => typeof ours === 'string'),
    ),
  },
  {
    decision: '13.29',
    what: 'files are served below /uploads',
    fits: on(
      /\/media/,
      ({ recorded, ours }) =>
        typeof recorded === 'string' && recorded.replaceAll('/wp-content/uploads/', '/uploads/') === ours,
    ),
  },
  {
    decision: '13.28',
    what: 'descriptions of files have no player before them',
    fits: on(
      /\/media/,
      at(
        /\.description\.rendered$/,
        ({ recorded, ours }) => typeof ours === 'string' && String(recorded).endsWith(ours),
      ),
    ),
  },
  {
    decision: '13.28',
    what: 'captions of files are never made up',
    fits: on(
      /\/media/,
      at(/\.caption\.rendered$/, ({ ours }) => ours === ''),
    ),
  },
  {
    decision: '13.20',
    what: 'the title of a file is its original name',
    fits: named(
      ['media.upload-raw'],
      at(/\.title\./, ({ ours }) => ours === 'lab pixel'),
    ),
  },
  {
    decision: '10.20',
    what: 'permalink_template of media has %postname%',
    fits: on(
      /\/media/,
      at(/\.permalink_template$/, ({ ours }) => String(ours).includes('%postname%')),
    ),
  },
  { decision: '13.2', what: 'media have no missing_image_sizes', fits: at(/\.missing_image_sizes$/, absent) },
  {
    decision: '22.18',
    what: 'types have no has_archive and no icon',
    fits: on(/\/types/, at(/\.(?:has_archive|icon)$/, absent)),
  },
  {
    decision: 'README',
    what: "persisted_preferences is the reference's own",
    fits: on(/\/users/, at(/\.meta\.persisted_preferences$/, absent)),
  },
  { decision: '3.8', what: 'no additional_data', fits: at(/^body\.additional_data$/, absent) },
  {
    decision: '3.4',
    what: 'all invalid parameters are reported at once',
    fits: at(/^body\.data\.(?:params|details)\.\w+$/, added),
  },
  {
    decision: '11.26',
    what: 'lists take no password',
    fits: named(
      ['posts-list.pw-list', 'posts-item.pw-list'],
      at(/\.(?:content|excerpt)\.rendered$/, ({ ours }) => ours === ''),
    ),
  },
  {
    decision: '15.28',
    what: 'a deleted user is shown with his roles',
    fits: named(['users.delete'], at(/^body\.previous\.(?:roles|capabilities|extra_capabilities)/)),
  },

  // Lists.
  {
    decision: '6.10',
    what: 'totals count what the caller may read',
    fits: either(
      named(
        ['posts-list.status-draft-contributor'],
        at(/^header x-wp-total$/, ({ recorded, ours }) => recorded === '10' && ours === '4'),
      ),
      named(
        ['comments.status-author'],
        at(/^header x-wp-total$/, ({ recorded, ours }) => recorded === '6' && ours === '1'),
      ),
    ),
  },
  {
    decision: '6.10',
    what: 'comments of unreadable items are not counted',
    fits: on(
      /\/comments\?orderby/,
      at(COUNTS, ({ recorded, ours }) => ['46 41', '10 9'].includes(`${String(recorded)} ${String(ours)}`)),
    ),
  },
  {
    decision: '6.5',
    what: 'an offset past the end still counts everything',
    fits: named(['posts-list.offset-beyond'], at(COUNTS)),
  },
  {
    decision: '6.11',
    what: 'equal sort keys are ordered by id in the same direction',
    fits: named(
      ['comments.orderby-post', 'comments.orderby-parent', 'comments.orderby-type', 'tags.hide-empty-false'],
      at(/^body ids$/),
    ),
  },
  {
    decision: '6.14',
    what: 'e-mail addresses are ordered letter by letter',
    fits: named(['users.orderby-email'], at(/^body ids$/)),
  },
  {
    decision: '22.5',
    what: 'posts have five orderings',
    fits: on(/\/posts\?.*orderby=(?:author|relevance)/, status('200 null', '400 rest_invalid_param')),
  },
  {
    decision: '22.5',
    what: 'posts have five orderings',
    fits: named(['posts-list.orderby-relevance-missing'], at(/^body\.(?:code|data)/)),
  },
  {
    decision: '22.7',
    what: 'terms have seven orderings',
    fits: named(['tags.orderby-include_slugs'], status('200 null', '400 rest_invalid_param')),
  },
  {
    decision: '22.13',
    what: 'media_type has four values',
    fits: named(['media.media-type-text'], status('200 null', '400 rest_invalid_param')),
  },
  {
    decision: '13.30',
    what: 'a mime_type that is no upload type matches nothing',
    fits: named(['media.mime-type-unknown'], at(/^(?:header x-wp-total(?:pages)?|body ids)$/)),
  },
  {
    decision: '0.19',
    what: 'no term objects',
    fits: named(['posts-list.categories-children'], status('200 null', '400 rest_invalid_param')),
  },
  {
    decision: '11.43',
    what: 'no tax_relation',
    fits: named(['posts-list.tax-relation-or'], at(/^(?:header |body ids)/)),
  },
  {
    decision: '2.6',
    what: 'parameters outside the specification are ignored',
    fits: named(['users.has-published', 'users.has-published-type', 'revisions.include'], at(/^(?:header |body ids)/)),
  },

  // Refusals.
  {
    decision: '2.15',
    what: 'other media types are 415',
    fits: named(['posts-write.json-no-type'], status('400 empty_content', '415 rest_unsupported_media_type')),
  },
  {
    decision: '21.5',
    what: 'refused names are 400, not 500',
    fits: status('500 empty_term_name', '400 empty_term_name'),
  },
  {
    decision: '15.12',
    what: 'taken usernames are 400, not 500',
    fits: status('500 existing_user_login', '400 existing_user_login'),
  },
  {
    decision: '15.13',
    what: 'taken e-mail addresses are 400, not 500',
    fits: status('500 existing_user_email', '400 existing_user_email'),
  },
  {
    decision: '22.12',
    what: 'media have a trash',
    fits: named(['media.trash'], status('501 rest_trash_not_supported', '200 null')),
  },
  {
    decision: '18.6',
    what: 'revisions can be deleted',
    fits: named(['revisions.force'], status('403 rest_cannot_delete', '200 null')),
  },
  {
    decision: '18.6',
    what: 'a deleted revision is gone',
    fits: named(
      ['revisions.force-admin', 'revisions.force-again'],
      status('403 rest_cannot_delete', '404 rest_post_invalid_id'),
    ),
  },
  {
    decision: '11.11',
    what: 'comments come back with their post',
    fits: named(
      ['life.comment-restored'],
      at(/^body\.status$/, ({ ours }) => ours === 'approved'),
    ),
  },
  {
    decision: '16.14',
    what: 'slugs of terms are unique per taxonomy',
    fits: named(
      ['categories.create-dup-slug'],
      at(/^body\.(?:slug|link)$/, ({ ours }) => /lab-term-2\/?$/.test(String(ours))),
    ),
  },
  {
    decision: '2.4',
    what: 'whether GET is allowed is judged without the body',
    fits: named(
      ['posts-write.update-sticky-password', 'comments.create-ip-subscriber'],
      at(/^header allow$/, ({ ours }) => String(ours).startsWith('GET')),
    ),
  },
  {
    decision: '0.34',
    what: 'every response of a known route tells the methods, also where the item is gone',
    fits: at(/^header allow$/, ({ recorded, ours }) => recorded === null && ours !== null),
  },
  {
    decision: '0.34',
    what: 'a mistake in the values takes no method out',
    fits: at(
      /^header allow$/,
      ({ recorded, ours }, { status }) => status === 400 && String(ours).startsWith(`${String(recorded)}, `),
    ),
  },
  {
    decision: '8.3',
    what: 'wrong credentials fail the whole request',
    fits: named(['api.auth-bad-user', 'api.auth-bad-password'], status('200 null', '401 incorrect_password')),
  },
  { decision: '0.21', what: 'an unreadable Basic header is wrong credentials', fits: named(['api.auth-malformed']) },
  {
    decision: '8.6',
    what: 'no nonces',
    fits: named(['api.nonce-bad'], status('403 rest_cookie_invalid_nonce', '200 null')),
  },
  {
    decision: '26.5',
    what: 'no autosaves',
    fits: named(
      ['api.autosaves'],
      at(/^status$/, ({ ours }) => ours === '404 rest_no_route'),
    ),
  },
  {
    decision: '0.40',
    what: 'settings belong to the site that keeps them: no address of the site, an own e-mail address, links',
    fits: named(['api.settings'], at(/^body\.(?:url|email|_links)$/)),
  },

  // OPTIONS.
  {
    decision: '10.11',
    what: 'media_details have what stands in for an image, and say what they hold',
    fits: either(
      at(/^body(?:\[\])?\.media_details\.(?:blurhash|dominant_color|srcset)$/, added),
      options(at(/\.media_details\.properties$/, added)),
    ),
  },
  { decision: '0.9', what: 'lists say what their query language takes', fits: options(at(/^body\.query$/, added)) },
  { decision: '11.43', what: 'no newer parameters', fits: options(at(/\.args\.modified_(?:after|before)$/, absent)) },
  {
    decision: '0.13',
    what: 'include and exclude take 500 ids',
    fits: options(at(/\.args\.(?:include|exclude)\.maxItems$/, ({ ours }) => ours === 500)),
  },
  {
    decision: '6.5',
    what: 'offset is not negative',
    fits: options(at(/\.args\.offset\.minimum$/, ({ ours }) => ours === 0)),
  },
  {
    decision: '11.39',
    what: 'states that a list can be asked for',
    fits: options(on(/\/pages/, at(/\.args\.status\.items\.enum$/))),
  },
  {
    decision: '0.28',
    what: 'states that a list of media can be asked for',
    fits: options(on(/\/media/, at(/\.args\.status\.items\.enum$/))),
  },
  { decision: '22.6', what: 'media have six orderings', fits: options(on(/\/media/, at(/\.args\.orderby\.enum$/))) },
  {
    decision: '22.13',
    what: 'media_type has four values',
    fits: options(on(/\/media/, at(/\.args\.media_type\.enum$/, sameMembersBut('text')))),
  },
  { decision: '11.33', what: 'templates are those of the schema', fits: options(at(/\.template\.enum$/, added)) },
  {
    decision: '11.3',
    what: 'defaults of new items are told',
    fits: options(at(/\.(?:status|comment_status|ping_status|template)\.default$/, added)),
  },
  {
    decision: '22.8',
    what: 'status is shown in edit context only',
    fits: options(at(/^body\.schema\.properties\.status\.context$/)),
  },
  { decision: '4.7', what: 'fields that can be null say so', fits: options(at(/\.post\.type$/)) },
  {
    decision: '13.27',
    what: 'media take the password of their post',
    fits: options(on(/\/media/, at(/\.args\.password$/, added))),
  },
  {
    decision: '18.6',
    what: 'DELETE of a revision takes no parameters',
    fits: options(on(/\/revisions/, at(/\.args\.force$/, absent))),
  },
  {
    decision: '4.5',
    what: 'the parent in the path is called parent_id',
    fits: options(on(/\/revisions/, at(/\.args\.parent(?:_id)?$/))),
  },
  {
    decision: '18.18',
    what: 'revisions show their difference',
    fits: options(on(/\/revisions/, at(/\.args\.diff$/, added))),
  },
  {
    decision: '0 (preamble)',
    what: 'texts for people are our own',
    fits: options(at(/\.links\[\]\.title$/, ({ recorded, ours }) => Boolean(recorded) && Boolean(ours))),
  },
  {
    decision: '18.2',
    what: 'texts and guid of revisions are strings',
    fits: options(on(/\/revisions/, at(/\.properties\.(?:guid|title|content|excerpt)\.(?:type|properties)$/))),
  },
  {
    decision: '18.7',
    what: 'revisions can be deleted by whoever may edit and delete the post',
    fits: options(
      on(
        /\/revisions/,
        at(/^header allow$/, ({ recorded, ours }) => recorded === 'GET' && ours === 'GET, DELETE'),
      ),
    ),
  },
  {
    decision: '18.9',
    what: 'fields of revisions cannot be written',
    fits: options(on(/\/revisions/, at(/\.properties\.\w+\.readonly$/, added))),
  },
];

/** The rule that explains a difference. */
export function explain(difference: Difference, recording: Recording): Declared | undefined {
  return DECLARED.find((rule) => rule.fits(difference, recording));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Both cut at the same word; only what is put there differs. */
function sameBeforeTail({ recorded, ours }: Difference): boolean {
  const [words] = String(recorded).split('&hellip; <a class="more-link"');
  return `${words} [&hellip;]</p>\n` === ours;
}

function sameMembersBut(gone: string): Fits {
  return ({ recorded, ours }) =>
    JSON.stringify((recorded as string[]).filter((each) => each !== gone).sort()) ===
    JSON.stringify([...(ours as string[])].sort());
}
