import {
  OpenAPIHono,
  type RouteConfig,
  type RouteConfigToTypedResponse,
  type RouteHandler,
  type z,
} from '@hono/zod-openapi'
import type { Context, Input, Schema, ToSchema, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { JSONParsed } from 'hono/utils/types'
import { takeRecords } from './auth.ts'
import type { AppEnv, RequestVariables } from './context.ts'
import { tagVersion } from './schemas.ts'

// A part that a route doesn't take is unknown, which no service accepts.
type Read<S> = S extends z.ZodType ? z.output<S> : unknown
type Part<R, Name extends string> = R extends { request: Record<Name, infer S> } ? Read<S> : unknown
type Body<R> = R extends { request: { body: { content: { 'application/json': { schema: infer S } } } } }
  ? Read<S>
  : unknown
type Member<T, Name extends string> = Name extends keyof T ? T[Name] : unknown

/** A request as a service takes it: its validated input, and who sent it. */
interface Given<R> extends Pick<RequestVariables, 'actor' | 'access' | 'admin'> {
  c: Context<AppEnv>
  params: Part<R, 'params'>
  id: Member<Part<R, 'params'>, 'id'>
  query: Part<R, 'query'>
  body: Body<R>
  headers: Part<R, 'headers'>
  /** The version that was sent as If-Match. */
  version: Member<Part<R, 'headers'>, 'if-match'>
  /** The Idempotency-Key. */
  key: Member<Part<R, 'headers'>, 'idempotency-key'>
  /** Counts records among the whole ones of the hour. @throws AppError `proof_needed` */
  admit: (records: number | readonly string[]) => Promise<void>
}

// What the router has validated of a request. A part that a route doesn't take is undefined.
type Validated = Record<'param' | 'header' | 'query' | 'json', Record<string, unknown> | undefined>

type HandlerContext<R extends RouteConfig> = Parameters<RouteHandler<R, AppEnv>>[0]

type Answer<R extends RouteConfig, T> = T extends Response
  ? T
  : TypedResponse<JSONParsed<T>, keyof R['responses'] & ContentfulStatusCode, 'json'>

type Described<R extends RouteConfig> = RouteConfigToTypedResponse<R>

// The types refuse a result that the description of the route doesn't allow. Without a body any result is fine.
type Allowed<R extends RouteConfig, T> = R['responses'][keyof R['responses']] extends { content: unknown }
  ? Answer<R, T> extends Described<R>
    ? unknown
    : Described<R>
  : unknown

type SchemaOf<R extends RouteConfig> =
  HandlerContext<R> extends Context<AppEnv, infer P, infer I extends Input>
    ? ToSchema<R['method'], P, I, Described<R>>
    : never

/** A router whose routes answer what a service returns, with the status that the route declares. */
export class Router<S extends Schema = Record<never, never>> extends OpenAPIHono<AppEnv, S> {
  answer<R extends RouteConfig, T>(
    route: R,
    run: (given: Given<R>) => (T & Allowed<R, T>) | Promise<T & Allowed<R, T>>,
  ): Router<S & SchemaOf<R>> {
    const code = Object.keys(route.responses).find((each) => each.startsWith('2')) ?? '200'
    const status = Number(code) as ContentfulStatusCode
    const hasBody = 'content' in (route.responses[code] ?? {})
    const handler = async (c: Context<AppEnv, string, { out: Validated }>) => {
      const result: unknown = await run(givenBy<R>(c))
      if (result instanceof Response) return result
      return hasBody ? c.json(result as object, status) : c.body(null, status)
    }
    // The type `Allowed` has compared the result with the description.
    this.openapi<RouteConfig>(route, handler as never)
    return this as unknown as Router<S & SchemaOf<R>>
  }

  /** Answers a record with its version as ETag. */
  answerVersion<R extends RouteConfig, T extends { version: number }>(
    route: R,
    run: (given: Given<R>) => Promise<T & Allowed<R, T>>,
  ): Router<S & SchemaOf<R>> {
    return this.answer<R, T>(route, async (given) => tagVersion(given.c, await run(given)))
  }
}

function givenBy<R>(c: Context<AppEnv, string, { out: Validated }>): Given<R> {
  const { actor, access, admin } = c.var
  const params = c.req.valid('param')
  const headers = c.req.valid('header')
  const given = {
    ...{ c, actor, access, admin, params, id: params?.id },
    ...{ query: c.req.valid('query'), body: c.req.valid('json'), headers },
    ...{ version: headers?.['if-match'], key: headers?.['idempotency-key'] },
    admit: (records: number | readonly string[]) => takeRecords(records, admin),
  }
  // The router validated each by its schema.
  return given as Given<R>
}
