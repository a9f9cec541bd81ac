import { type OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type * as mini from 'zod/mini'
import { AppError } from '#server/lib/errors.ts'
import { mailStates } from '#shared/mail/mail.ts'
import { namedObject } from '#shared/named-object.ts'
import type { Permission } from '#shared/people/permissions.ts'
import { fieldErrors, type ProblemCode, problemCodes, problemSentences } from '#shared/problem.ts'
import { Router } from './answer.ts'
import { type RouteNeeds, requireMailer, requireStaff, requireStudent, type StudentStep } from './auth.ts'
import type { AppEnv } from './context.ts'
import { allow, type RouteLimits } from './limits.ts'
import { problemKinds } from './problem.ts'
import { documented, idParams } from './schemas.ts'

const expected: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
}

// Zod's own wording is for programmers ("Invalid input: expected object, received array").
z.config({
  localeError: (issue) => {
    if (issue.code === 'unrecognized_keys') return `Unknown fields: ${issue.keys.join(', ')}.`
    const wanted = issue.code === 'invalid_type' ? expected[issue.expected] : undefined
    return wanted ? `Please send ${wanted}.` : 'Please check what you sent and try again.'
  },
})

/**
 * A feature's router: input that breaks its schema becomes an `invalid` problem with the rules by field.
 * @param onInvalid called before; may throw another refusal
 */
export function createRouter(onInvalid?: (c: Context<AppEnv>) => Promise<void>) {
  return new Router({
    defaultHook: async (result, c) => {
      if (result.success) return
      await onInvalid?.(c)
      throw new AppError('invalid', { errors: fieldErrors(result.error) })
    },
  })
}

export function json<T extends z.ZodType>(schema: T, description: string) {
  return { content: { 'application/json': { schema } }, description }
}

/** The responses of a route that answers with a value. */
export function ok<T extends z.ZodType>(schema: T, description: string) {
  return { 200: json(schema, description) }
}

export function created<T extends z.ZodType>(schema: T, description: string) {
  return { 201: json(schema, description) }
}

export function accepted<T extends z.ZodType>(schema: T, description: string) {
  return { 202: json(schema, description) }
}

/** The responses of a route that answers without a body. */
export function done(description: string) {
  return { 204: { description } }
}

export function jsonBody<T extends z.ZodType>(schema: T, description: string) {
  return { ...json(schema, description), required: true }
}

/** A body by the schema of a form, which the browser checks too. */
export function formBody<T extends mini.ZodMiniType>(schema: T, name: string, description: string) {
  return jsonBody(documented(schema, name), description)
}

const problemSchema = namedObject('Problem', {
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('The message for the user.'),
  code: z.enum(problemCodes),
  requestId: z.string().optional(),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('Validation errors by field, in form order.'),
  success: z.literal(false).optional().describe('Only in responses of the e-mail calls.'),
  mail: z
    .object({ id: z.uuid(), state: z.enum(mailStates) })
    .optional()
    .describe('The unsent message in the outbox.'),
  challenge: z.string().optional().describe('Of challenge_needed: an ALTCHA challenge (version 2) as JSON.'),
  message: z.string().optional().describe('The same as detail, for the e-mail calls.'),
})

function problems(codes: readonly ProblemCode[], isOfStaff: boolean) {
  const responses = codes.map((code) => [
    problemKinds[code].status,
    {
      content: { 'application/problem+json': { schema: problemSchema } },
      // The sentence sends people to the sign-in of the office.
      description:
        code === 'unauthenticated' && !isOfStaff
          ? 'What was sent opens nothing, or no longer does.'
          : problemSentences[code],
    },
  ])
  // Typed as nothing: handlers refuse by throwing, so problems aren't among a handler's results.
  return Object.fromEntries(responses) as Record<never, never>
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type RequestSchemas = NonNullable<RouteConfig['request']>
type Responses = RouteConfig['responses']

// A path with an id has it as its parameter.
type RequestOf<P extends string, Q> = Pick<Q, keyof Q & keyof RequestSchemas> &
  (Q extends { params: unknown }
    ? unknown
    : P extends `${string}{id}${string}`
      ? { params: typeof idParams }
      : unknown)

interface RouteOptions<R extends Responses> {
  description?: string
  responses: R
  // Problems besides those that the guard, the path, the input and the limits cause.
  problems?: readonly ProblemCode[]
  limits?: RouteLimits
  // What the route needs besides the permission.
  needs?: RouteNeeds
  cached?: MiddlewareHandler<AppEnv>
  middleware?: MiddlewareHandler
}

// A body without a type is left to the schema, which names the fields.
function accept(content: object): MiddlewareHandler<AppEnv> {
  const types = Object.keys(content)
  return (c, next) => {
    const [type = ''] = (c.req.header('Content-Type') ?? '').toLowerCase().split(';')
    const isAccepted = types.some(
      (each) => each === type.trim() || (each === 'image/*' && type.startsWith('image/')),
    )
    if (type !== '' && !isAccepted) {
      c.header('Accept', types.join(', '))
      throw new AppError('unsupported_media_type')
    }
    return next()
  }
}

/** A known address, but not by this method: names those it has. */
export function refuseMethod(api: OpenAPIHono<AppEnv>, base: string): MiddlewareHandler<AppEnv> {
  const routes = api.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === 'route' ? [definition.route] : [],
  )
  const patterns = routes.map(({ method, path }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return async (c) => {
    const allowed = patterns.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method)
    if (allowed.length === 0) throw new AppError('not_found')
    c.header('Allow', [...new Set(allowed)].join(', '))
    throw new AppError('method_not_allowed')
  }
}

function refusalsOf(guard: MiddlewareHandler<AppEnv> | undefined, needs?: RouteNeeds): ProblemCode[] {
  if (!guard) return []
  if (needs === 'any sign-in') return ['unauthenticated']
  return ['unauthenticated', needs === 'fresh sign-in' ? 'proof_needed' : 'permission_denied']
}

function refusedInputs({ query, headers, body }: RequestSchemas): ProblemCode[] {
  if ((query ?? headers ?? body) === undefined) return []
  // A version may be an older one, and a key may have been used for something else.
  const ofHeaders: ProblemCode[] = headers === undefined ? [] : ['conflict']
  return ['invalid', ...ofHeaders, ...(body === undefined ? [] : (['unsupported_media_type'] as const))]
}

// A body of the usual size is read for known callers only.
function limitsBehind(guard: MiddlewareHandler<AppEnv> | undefined, body: unknown): RouteLimits | undefined {
  return guard && body !== undefined ? {} : undefined
}

interface Guarding {
  permission: Permission | 'student'
  guardFor: (needs?: RouteNeeds) => MiddlewareHandler<AppEnv>
  security: Record<string, string[]>[]
}

/** Describes the routes of a feature that need the same permission. */
function routesWith(tag: string, guarding?: Guarding) {
  function routesOf<M extends Method>(method: M) {
    function route<P extends string, R extends Responses, Q extends RequestSchemas = Record<never, never>>(
      path: P,
      summary: string,
      options: RouteOptions<R> & Q,
    ): { method: M; path: P; request: RequestOf<P, Q>; responses: R }
    function route(
      path: string,
      summary: string,
      { description, needs, cached, middleware: own, ...options }: RouteOptions<Responses> & RequestSchemas,
    ): RouteConfig {
      const { responses, problems: others = [], limits: ownLimits, ...schemas } = options
      const hasId = path.includes('{id}')
      const request = { ...(hasId && { params: idParams }), ...schemas }
      const { body } = request
      const guard = guarding?.guardFor(needs)
      const limits = ownLimits ?? limitsBehind(guard, body)
      const steps = [guard, limits && allow(limits), body && accept(body.content), cached, own]
      const middleware = steps.filter((one) => one !== undefined)
      const codes: (ProblemCode | false)[] = [
        ...refusalsOf(guard, needs),
        ...refusedInputs(schemas),
        hasId && 'not_found',
        limits?.body !== undefined && 'too_big',
        ...others,
      ]
      const permission = guarding?.permission ?? 'public'
      const isOfStaff = permission !== 'public' && permission !== 'student'
      return {
        method,
        path,
        summary,
        request,
        middleware,
        tags: [tag],
        ...(description ? { description } : {}),
        'x-permission': permission,
        ...(guarding && { security: guarding.security }),
        responses: {
          ...responses,
          ...problems(
            codes.filter((code) => code !== false),
            isOfStaff,
          ),
        },
      }
    }
    return route
  }
  return {
    get: routesOf('get'),
    post: routesOf('post'),
    put: routesOf('put'),
    patch: routesOf('patch'),
    delete: routesOf('delete'),
  }
}

export function publicRoutes(tag: string) {
  return routesWith(tag)
}

/** @param sentence the text for visitors */
export function staffRoutes(tag: string, permission: Permission, sentence?: string) {
  const guardFor = (needs?: RouteNeeds) => requireStaff(permission, sentence, needs)
  return routesWith(tag, { permission, guardFor, security: [{ session: [] }] })
}

/** The routes of a student at /my, who is `c.var.student`. */
export function studentRoutes(tag: string, step: StudentStep = 'second step') {
  const guardFor = () => requireStudent(step)
  return routesWith(tag, { permission: 'student', guardFor, security: [{ student: [] }] })
}

/** The e-mail calls, which accept API tokens too. */
export function mailerRoutes(tag: string, permission: Permission) {
  const guardFor = () => requireMailer(permission)
  return routesWith(tag, { permission, guardFor, security: [{ session: [] }, { bearer: [] }] })
}
