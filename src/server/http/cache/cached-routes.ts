import type { Hono, MiddlewareHandler } from 'hono'
import type { AppEnv } from '#server/http/context.ts'
import type { Topic } from '#shared/topics.ts'

export interface CachedRoute {
  // The path is written as in Hono, with `:id` for a part of it.
  path: string
  topics: readonly Topic[]
  // The query parameters that a cached address may have.
  parameters?: readonly string[]
  // The values that `:id` may have.
  id?: string
  // React Router has data requests for it too.
  isPage?: boolean
}

const declared = new WeakMap<object, Omit<CachedRoute, 'path'>>()

/** Marks a route as cached: its response to visitors who aren't signed in is kept until one of the topics is published. */
export function cachedFor(
  topics: readonly Topic[],
  how: Pick<CachedRoute, 'parameters' | 'id'> = {},
): MiddlewareHandler<AppEnv> {
  const mark: MiddlewareHandler<AppEnv> = (_c, next) => next()
  declared.set(mark, { topics, ...how })
  return mark
}

export function cachedRoutesOf({ routes }: Pick<Hono<AppEnv>, 'routes'>): CachedRoute[] {
  return routes.flatMap(({ path, handler }) => {
    const how = declared.get(handler)
    return how ? [{ path, ...how }] : []
  })
}

const anyId = '[0-9a-f]{8}-[0-9a-f-]{27}'
// React Router's data requests.
const dataSuffix = '.data'
const dataParameter = '_routes'
const rootData = '/_root'
const maxLength = 300

export type TopicsOf = (address: string) => readonly Topic[] | undefined

/**
 * The topics of an address that has one response for all visitors who aren't signed in. All that no route declares is
 * never cached: forms, sign-in, unknown parameters.
 */
export function createTopicsOf(routes: readonly CachedRoute[]): TopicsOf {
  const exact = new Map(routes.filter(({ path }) => !path.includes(':')).map((route) => [route.path, route]))
  const withId = routes.flatMap(({ path, id = anyId, ...route }) =>
    path.includes(':') ? [{ ...route, pattern: new RegExp(`^${path.replace(/:\w+/, id)}$`) }] : [],
  )
  const find = (path: string) => exact.get(path) ?? withId.find(({ pattern }) => pattern.test(path))

  function findPage(stem: string) {
    const page = find(stem === rootData ? '/' : stem)
    return page?.isPage ? page : undefined
  }

  return (address) => {
    if (address.length > maxLength) return undefined
    const [path = '', ...query] = address.split('?')
    const isData = path.endsWith(dataSuffix)
    const route = isData ? findPage(path.slice(0, -dataSuffix.length)) : find(path)
    if (!route) return undefined
    const allowed = [...(route.parameters ?? []), ...(isData ? [dataParameter] : [])]
    const names = [...new URLSearchParams(query.join('?')).keys()]
    const isPublic = new Set(names).size === names.length && names.every((name) => allowed.includes(name))
    return isPublic ? route.topics : undefined
  }
}
