// Every error code a client can meet: its status and its wording (decisions 3, 21). docs/errors.md lists the same table.
import type { ErrorStatus } from './resource-error.js';

export const catalogue: Record<string, { status: ErrorStatus; message: string } | undefined> = {
  rest_no_route: { status: 404, message: 'No route matches this address and method. The index lists all routes.' },
};
