// Errors about items sent below a new one: their parameters are prefixed with the path of the item.
import { ResourceError, type ErrorData } from '../../errors/resource-error.js';

/** Runs the work on an item below; its error gets the path of the item. */
export function withPlace<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw at(place, error);
  }
}

/** The same for asynchronous work. */
export async function withPlaceAsync<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw at(place, error);
  }
}

/** An error about an item below, with the path of the item before its parameters. */
function at(place: string, error: unknown): unknown {
  if (place === '' || !(error instanceof ResourceError)) return error;
  const { data, ...rest } = error.details;
  const moved = new ResourceError(error.code, {
    ...rest,
    status: error.status,
    message: `${place}: ${error.message}`,
    headers: error.headers,
    denied: error.denied,
    ...(data ? { data: movedData(place, data) } : {}),
  });
  moved.additional.push(...error.additional);
  return moved;
}

function movedData(place: string, data: ErrorData): ErrorData {
  const inside = (name: string) => `${place}[${name}]`;
  const names = (members: unknown): unknown => {
    if (Array.isArray(members)) return members.map((name) => inside(String(name)));
    if (typeof members !== 'object' || members === null) return members;
    return Object.fromEntries(Object.entries(members).map(([name, value]) => [inside(name), value]));
  };
  return {
    ...data,
    ...('params' in data ? { params: names(data['params']) } : {}),
    ...('details' in data ? { details: names(data['details']) } : {}),
  };
}
