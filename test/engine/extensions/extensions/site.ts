// A module of Nest, a job and a command.
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
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

@Module({ controllers: [SkyController] })
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
