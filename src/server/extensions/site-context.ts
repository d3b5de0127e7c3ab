// Access to the site for the code of extensions outside of requests. Their Nest modules inject it.
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import type { Accounts } from '../../auth/accounts.js';
import { ActorSource } from '../../auth/actor-source.js';
import { InProcess, type InTransaction, type ResourceItems } from '../../http/batch/in-process.js';
import type { Log } from '../../http/request/logger.js';
import type { Actor } from '../../model/actor.js';
import type { View } from '../../model/operation.js';
import type { ExtensionContext } from './define.js';

/** The parts of a site that the context gives access to. */
export interface ContextParts {
  readonly app: NestExpressApplication;
  readonly accounts: Accounts | undefined;
  readonly dataSource: DataSource;
}

/** The site, for the code of its extensions. */
export class SiteContext implements ExtensionContext {
  /** @internal */
  constructor(
    private readonly parts: () => ContextParts,
    readonly log: Pick<Log, 'info' | 'warn'>,
  ) {}

  /** The data source of TypeORM. Writes through it bypass validation, permissions and hooks. */
  get dataSource(): DataSource {
    return this.parts().dataSource;
  }

  /**
   * The operations of a resource; without `as` they have all rights. `Item`: the type of its items.
   * @throws Error when the site has no such resource
   */
  // Bound, so that it may be destructured from the context.
  readonly resource = <Item = View>(name: string): ResourceItems<Item> =>
    this.parts().app.get(InProcess).resource<Item>(name);

  /**
   * Runs `work` in its own transaction: either all of its writes are stored, or none. Not for hooks and actions, which
   * run inside a transaction already.
   * @throws what `work` or a write in it threw
   */
  readonly transaction = <T>(work: (inside: InTransaction) => Promise<T> | T): Promise<T> =>
    this.parts().app.get(InProcess).transaction(work);

  /**
   * An account as an actor, by its username or e-mail address.
   * @throws Error when there is no such account
   */
  readonly actor = async (username: string): Promise<Actor> => {
    const { accounts, app } = this.parts();
    const found = await accounts?.find(username);
    const account = found && (await accounts!.load(found.id));
    if (!account) throw new Error(`There is no account "${username}".`);
    return app.get(ActorSource).actorFor(account);
  };
}
