// Plays the recorded requests against our own site, in order, and says how each response compares. Called by replay.spec.ts.
import { appendFileSync, writeFileSync } from 'node:fs';
import { readContent, readRecordings, type Content, type Recording } from './content.js';
import { explain, type Declared } from './declared.js';
import { differences, type Difference } from './differences.js';
import { raiseSequence } from './load-content.js';
import { hiddenBefore, type Hidden } from './hidden.js';
import { bootPeer, type HttpResponse, type PeerSite } from './peer-site.js';

/** Groups that ran one after the other. `timezone` ran alone. */
export const GROUPS = [
  'posts-list',
  'posts-item',
  'pages',
  'posts-write',
  'revisions',
  'tags',
  'categories',
  'comments',
  'media',
  'users',
  'types',
  'taxonomies',
  'api',
  'life',
];
export const ALONE = 'timezone';

/** How one request went. */
export interface Outcome {
  name: string;
  verdict: 'equal' | 'declared' | 'unexplained' | 'skipped';
  /** Why it was not played. */
  reason?: string;
  declared: [Difference, Declared][];
  unexplained: Difference[];
}

const REPORT = process.env['REPLAY_REPORT'] ?? '/tmp/replay-report.txt';
const SHOWN = 300;

/** Plays every group and writes the report. */
export async function replay(): Promise<Map<string, Outcome>> {
  const content = readContent();
  const outcomes = new Map<string, Outcome>();
  writeFileSync(REPORT, '');
  await playOn(await bootPeer(content), GROUPS, content, outcomes);
  await playOn(await bootPeer(content, 'Europe/Berlin'), [ALONE], content, outcomes);
  return outcomes;
}

async function playOn(
  peer: PeerSite,
  groups: string[],
  content: Content,
  outcomes: Map<string, Outcome>,
): Promise<void> {
  try {
    const player = new Player(peer, content);
    for (const group of groups) {
      const played: Outcome[] = [];
      for (const recording of readRecordings(group)) played.push(await player.play(recording));
      for (const outcome of played) outcomes.set(outcome.name, outcome);
      report(group, played);
    }
  } finally {
    await peer.close();
  }
}

/** Path of a collection to the resource whose ids it shares and the first id of created items. */
type Sequences = Record<string, { resource: string; first: number }>;

class Player {
  private readonly from = Date.now();
  private readonly sequences: Sequences;
  private readonly logins: Map<string, string>;
  /** Ids of created items, recorded to ours, by the resource that owns the sequence. */
  private readonly created = new Map<string, number>();

  constructor(
    private readonly peer: PeerSite,
    { next_ids: next, users }: Content,
  ) {
    const contents = { resource: 'post', first: next.post };
    const terms = { resource: 'tag', first: next.term };
    this.sequences = {
      posts: contents,
      pages: contents,
      media: contents,
      revisions: contents,
      tags: terms,
      categories: terms,
      comments: { resource: 'comment', first: next.comment },
      users: { resource: 'user', first: next.user },
    };
    this.logins = new Map(users.map((user) => [user.login, basic(user.login, user.app_password)]));
  }

  async play(recording: Recording): Promise<Outcome> {
    const { name } = recording;
    const skip = (reason: string): Outcome => ({ name, verdict: 'skipped', reason, declared: [], unexplained: [] });
    for (const request of hiddenBefore(name)) await this.playHidden(request);
    const unseen = this.unseen(recording);
    if (unseen !== undefined) return skip(`${unseen} was created by a request that is not shown`);
    const made = idMade(recording);
    if (made) await this.align(made.url, made.id);
    const asked = this.translated(recording.request);
    const response = await this.peer.ask(asked, asked.as && this.logins.get(asked.as));
    if (recording.status === 201) this.remember(recording.request, recording.body.id, response);
    return judge(this.translatedResponse(recording), response, { from: this.from, to: Date.now() });
  }

  /** An id in the URL that none of our responses has made. */
  private unseen({ request }: Recording): string | undefined {
    const path = request.url.split('?')[0]!;
    for (const [, collection, id] of path.matchAll(/\/([a-z]+)\/(\d+)/g)) {
      const sequence = this.sequences[collection!];
      if (!sequence || Number(id) < sequence.first || id!.length > 5) continue;
      if (!this.created.has(`${sequence.resource} ${id}`)) return `${collection}/${id}`;
    }
    return undefined;
  }

  /** Uses up the ids that requests which are not shown had taken. */
  private async align(url: string, id: number | undefined): Promise<void> {
    const sequence = this.sequenceOf(url);
    if (id !== undefined && sequence) await raiseSequence(this.peer.site, sequence.resource, id);
  }

  private remember(request: Recording['request'], id: number, response: HttpResponse): void {
    const sequence = this.sequenceOf(request.url);
    if (response.status === 201 && sequence) this.created.set(`${sequence.resource} ${id}`, response.body.id);
  }

  private async playHidden({ id, ...request }: Hidden['requests'][number]): Promise<void> {
    await this.align(request.url, id);
    const asked = this.translated(request);
    const response = await this.peer.ask(asked, asked.as && this.logins.get(asked.as));
    if (response.status >= 400)
      throw new Error(`hidden ${request.method} ${request.url}: ${response.status} ${JSON.stringify(response.body)}`);
    if (id === undefined) return;
    const revision = response.body._links?.['predecessor-version']?.[0].id;
    const { resource } = this.sequenceOf(request.url)!;
    this.created.set(`${resource} ${id}`, response.status === 201 ? response.body.id : revision);
  }

  private sequenceOf(url: string): Sequences[string] | undefined {
    return this.sequences[/(?:\{ns\}|\/wp\/v2)\/([a-z]+)/.exec(url)?.[1] ?? ''];
  }

  private translated(request: Recording['request']): Recording['request'] {
    const text = this.withOurIds(JSON.stringify(request));
    return JSON.parse(text.replaceAll('{base}', '/wp-json').replaceAll('{ns}', '/wp/v2')) as Recording['request'];
  }

  private translatedResponse(recording: Recording): Recording {
    return JSON.parse(this.withOurIds(JSON.stringify(recording))) as Recording;
  }

  private withOurIds(text: string): string {
    let result = text;
    for (const [key, ours] of this.created) {
      const id = key.split(' ')[1]!;
      if (String(ours) !== id)
        result = result.replaceAll(new RegExp(`(?<![\\d.-])${id}(?![\\d.-])`, 'g'), String(ours));
    }
    return result;
  }
}

/** The first id that a recorded request used up, of a new item or of the revision that an update left, and where. */
function idMade({ request, status, body }: Recording): { url: string; id: number | undefined } | undefined {
  const { url, method } = request;
  if (status === 201) return { url, id: body.id };
  const at = status === 207 ? body.responses.findIndex((each: HttpResponse) => each.status === 201) : -1;
  if (at >= 0) return { url: (request.body as any).requests[at].path, id: body.responses[at].body.id };
  if (method === 'GET' || status !== 200) return undefined;
  return { url, id: body?._links?.['predecessor-version']?.[0].id };
}

function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

function judge(recording: Recording, response: HttpResponse, period: { from: number; to: number }): Outcome {
  const declared: Outcome['declared'] = [];
  const unexplained: Difference[] = [];
  for (const difference of differences(recording, response, period)) {
    const rule = explain(difference, recording);
    if (rule) declared.push([difference, rule]);
    else unexplained.push(difference);
  }
  const verdict = unexplained.length > 0 ? 'unexplained' : declared.length > 0 ? 'declared' : 'equal';
  return { name: recording.name, verdict, declared, unexplained };
}

function report(group: string, outcomes: Outcome[]): void {
  const count = (verdict: Outcome['verdict']) => outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const lines = [
    `${group}: ${count('equal')} equal, ${count('declared')} with declared differences, ${count('unexplained')} unexplained, ${count('skipped')} not played`,
  ];
  for (const { name, verdict, reason, unexplained } of outcomes) {
    if (verdict === 'skipped') lines.push(`  - ${name}: ${reason}`);
    if (verdict === 'unexplained') lines.push(`  ! ${name}`, ...describe(unexplained));
  }
  appendFileSync(REPORT, `${lines.join('\n')}\n\n`);
}

/** Each distinct path once, with how often it occurs. */
export function describe(found: Difference[]): string[] {
  const byPath = new Map<string, Difference[]>();
  for (const difference of found) byPath.set(difference.path, [...(byPath.get(difference.path) ?? []), difference]);
  return [...byPath].map(([path, [first, ...more]]) => {
    const times = more.length > 0 ? ` (${more.length + 1} times)` : '';
    return `      ${path}${times}: recorded ${short(first!.recorded)}, ours ${short(first!.ours)}`;
  });
}

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
