// The API of a site for the code of its host application.
import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { ActorSource } from '../../auth/actor-source.js';
import { ResourceService } from '../../engine/resource.service.js';
import { InProcess, type InTransaction, type ResourceItems } from '../../http/batch/in-process.js';
import type { Actor } from '../../model/actor.js';
import { PHASES, type Hooks, type Phase } from '../../model/hooks.js';
import type { Operation, View } from '../../model/operation.js';
import type { RunningSite } from '../start-site.js';

/** Hooks of the host application for the items of one resource, and how they run. */
export interface OwnHooks extends Partial<Hooks> {
  /**
   * Allows concurrent writes of the resource although hooks run in their transactions: the hooks use `op.tx.lock` for
   * what their decisions depend on. Default: creations and updates of the resource run one at a time.
   */
  sideBySide?: boolean;
}

/** Phases inside the transaction of a write. */
const WRITING: readonly Phase[] = ['input', 'saved', 'remove', 'removed'];

type Run = (...args: unknown[]) => unknown;

/** Position of the operation among the arguments of phases that decide what a response shows. */
const READING: Partial<Record<Phase, number>> = { authorize: 0, scope: 1, present: 2 };

/** A hook may depend on more than the database: responses that it contributed to are not cached. */
function uncached(phase: Phase, run: Run): Run {
  const at = READING[phase];
  if (at === undefined) return run;
  return (...args) => {
    (args[at] as Operation).state.volatile = true;
    return run(...args);
  };
}

/** A site in the process of its host (docs/embedding.md). */
export class Typecase {
  private begun = false;

  /** @internal */
  constructor(private readonly site: RunningSite) {}

  /** The data source of TypeORM. Writes through it bypass validation, permissions and hooks. */
  get dataSource(): DataSource {
    return this.site.store.dataSource;
  }

  /** The Nest application of the site, for everything that `resource` does not offer. */
  get app(): NestExpressApplication {
    return this.site.app;
  }

  /** The low-level operations of the engine; `resource` is easier to use. */
  get service(): ResourceService {
    return this.app.get(ResourceService);
  }

  /** The administrator that this start created because there was no account, with the password if it was generated. */
  get administrator(): { username: string; generatedPassword?: string } | undefined {
    return this.site.administrator;
  }

  /**
   * The operations of a resource. `Item`: the type of its items.
   * @throws Error when the site has no such resource
   */
  resource<Item = View>(name: string): ResourceItems<Item> {
    this.begun = true;
    return this.app.get(InProcess).resource<Item>(name);
  }

  /**
   * Runs `work` in one transaction: either all of its writes are stored, or none. Not for hooks, which run inside a
   * transaction already.
   * @throws what `work` or a write in it threw; Error when the site is closed
   */
  transaction<T>(work: (inside: InTransaction) => Promise<T> | T): Promise<T> {
    this.begun = true;
    return this.app.get(InProcess).transaction(work);
  }

  /**
   * An account as an actor, by its username or e-mail address.
   * @throws Error when there is no such account, or the site is closed
   */
  async actor(username: string): Promise<Actor> {
    this.app.get(InProcess).requireOpen();
    const { accounts } = this.site;
    const found = await accounts?.find(username);
    const account = found && (await accounts!.load(found.id));
    if (!account) throw new Error(`There is no account "${username}".`);
    return this.app.get(ActorSource).actorFor(account);
  }

  /**
   * Adds hooks to a resource. They run after those of its traits; hooks of writes run inside the transaction. To be
   * called while the host application starts: in a constructor, or in `onModuleInit`.
   * @throws Error when the resource or a phase is unknown, or when operations have run already
   */
  hooks(resource: string, own: OwnHooks): void {
    const model = this.site.models.byName.get(resource);
    if (!model) throw new Error(`The site has no resource "${resource}".`);
    if (this.begun || (this.app.getHttpServer() as Server).listening)
      throw new Error('Hooks are added while the application starts, before it handles requests or uses a resource.');
    const { sideBySide = false, ...phases } = own;
    const unknown = Object.keys(phases).filter((phase) => !(PHASES as readonly string[]).includes(phase));
    if (unknown.length > 0) throw new Error(`There is no phase "${unknown[0]}". Phases are: ${PHASES.join(', ')}.`);
    for (const phase of PHASES) {
      const run = phases[phase] as Run | undefined;
      if (run) (model.hooks[phase] as { trait: string; run: Run }[]).push({ trait: 'host', run: uncached(phase, run) });
    }
    if (!sideBySide && WRITING.some((phase) => phases[phase])) Object.assign(model, { sideBySide: false });
  }

  /**
   * Called when the site begins to serve requests: no more hooks may be added.
   * @internal
   */
  begin(): void {
    this.begun = true;
  }

  /**
   * Called when the shutdown begins: `/readyz` fails from now on.
   * @internal
   */
  stop(): void {
    this.site.stopping = true;
    this.site.endStreams();
  }
}
