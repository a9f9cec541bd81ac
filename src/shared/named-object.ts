import { z } from '@hono/zod-openapi'

/** The schema of an object that has a name in the API's description. */
export function namedObject<T extends z.core.$ZodLooseShape>(name: string, members: T) {
  return z.object(members).openapi(name)
}
