// A module of Nest, a job and a command.
import { createHash } from 'node:crypto';
import { Body, Controller, Get, Module, Post, Req } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Caller, defineExtension, ResourceError, SiteContext, type Actor } from 'typecase';

@Controller('sky')
class SkyController {
  constructor(
    private readonly site: SiteContext,
    private readonly database: DataSource,
  ) {}

  @Get('count')
  async count(@Caller() actor: Actor): Promise<object> {
    const { total } = await this.site.resource('star').list({}, { as: actor });
    return { total, caller: actor.id > 0, connected: this.database.isInitialized };
  }

  @Post('echo')
  echo(@Body() body: { text?: string }): object {
    if (!body?.text) throw new ResourceError('rest_invalid_param', { status: 400, message: 'Send a text.' });
    return { text: body.text };
  }
}

@Controller('sky')
class NoticeController {
  constructor(private readonly site: SiteContext) {}

  @Post('digest')
  digest(@Req() request: { rawBody: Buffer }): object {
    return { sha256: createHash('sha256').update(request.rawBody).digest('hex') };
  }

  /** Names two stars, or none. */
  @Post('pair')
  async pair(@Body() { names, caught }: { names: string[]; caught?: boolean }): Promise<object> {
    const done: string[] = [];
    const made = await this.site.transaction(async ({ resource, after }) => {
      const stars = resource<{ id: number; name: string }>('star');
      after(() => void done.push('committed'));
      const one = await stars.create({ name: names[0], magnitude: 1 });
      const seen = (await stars.get(one.id)).name;
      const two = stars.create({ name: names[1], magnitude: names[2] ?? 2 });
      await (caught ? two.catch(() => undefined) : two);
      return seen;
    });
    return { made, done };
  }
}

@Controller('sky')
class LedgerController {
  constructor(private readonly site: SiteContext) {}

  /** Writes what clients may not. */
  @Post('entry')
  async entry(): Promise<object> {
    const entries = this.site.resource<{ id: number; sum: number }>('entry');
    const { id } = await entries.create({ sum: 1 });
    const { sum } = await entries.update(id, { sum: 2 });
    await entries.remove(id);
    return { sum };
  }
}

@Module({ controllers: [SkyController, NoticeController, LedgerController] })
class SkyModule {}

export default defineExtension({
  module: SkyModule,
  job: {
    name: 'count-sightings',
    every: '1h',
    async run({ resource, log }) {
      const { total } = await resource('sighting').list();
      if (total === 0) await resource('star').create({ name: `Job star`, magnitude: 9 });
      log.info({ total }, 'counted');
    },
  },
  command: {
    name: 'name-stars',
    description: 'create stars of these names',
    arguments: ['<names...>'],
    options: { '--dry-run': 'write nothing' },
    async run({ arguments: names, options, resource, print }) {
      for (const name of names) {
        if (!options['dryRun']) await resource('star').create({ name });
        print(`${options['dryRun'] ? 'would be' : 'made'}: ${name}`);
      }
    },
  },
});
