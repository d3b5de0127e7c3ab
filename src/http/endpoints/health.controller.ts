// Health probes. `/livez`: the process is up; `/readyz`: it can serve, or the reason why not.
import { Controller, Get, Inject } from '@nestjs/common';
import { HttpResponse } from '../response/response.js';
import { unavailable } from '../http-errors.js';

/** Injection token of the readiness provider. */
export const READINESS = Symbol('readiness');

/** Reports whether schema and database are ready. */
export type ReadinessProbe = () => Promise<{ ready: boolean; reason?: string }>;

/** Handles health probes; their responses are never cached. */
@Controller()
export class HealthController {
  constructor(@Inject(READINESS) private readonly readiness: ReadinessProbe) {}

  /** Always 200 while the process serves. */
  @Get('livez')
  live(): HttpResponse {
    return ok();
  }

  /** 200, or 503 with the reason. */
  @Get('readyz')
  async ready(): Promise<HttpResponse> {
    const state = await this.readiness().catch(() => ({ ready: false, reason: 'The readiness check failed.' }));
    if (!state.ready) throw unavailable(state.reason ?? 'The service is starting.');
    return ok();
  }
}

function ok(): HttpResponse {
  return new HttpResponse(200, { 'Cache-Control': 'no-store' }, '{"status":"ok"}');
}
