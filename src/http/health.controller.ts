// `/livez`: the process is up; `/readyz`: it can serve, or why not (contract.md). Asked by balancers and supervisors.
import { Controller, Get, Inject } from '@nestjs/common';
import { Answer } from './answer.js';
import { unavailable } from './refusals.js';

/** Injection token of the readiness provider. */
export const READINESS = Symbol('readiness');

/** Says whether schema and database are ready. */
export type ReadinessProbe = () => Promise<{ ready: boolean; reason?: string }>;

/** Answers health probes; never cached. */
@Controller()
export class HealthController {
  constructor(@Inject(READINESS) private readonly readiness: ReadinessProbe) {}

  /** Always 200 while the process serves. */
  @Get('livez')
  live(): Answer {
    return ok();
  }

  /** 200, or 503 with the reason. */
  @Get('readyz')
  async ready(): Promise<Answer> {
    const state = await this.readiness().catch(() => ({ ready: false, reason: 'The readiness check failed.' }));
    if (!state.ready) throw unavailable(state.reason ?? 'The service is starting.');
    return ok();
  }
}

function ok(): Answer {
  return new Answer(200, { 'Cache-Control': 'no-store' }, '{"status":"ok"}');
}
