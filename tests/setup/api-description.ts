export interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  type?: string | string[]
  enum?: unknown[]
}
export interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  servers?: { url: string }[]
  /** Absent where everybody may ask. */
  security?: unknown[]
  'x-permission'?: string
}
export interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export async function readDescription(url: string): Promise<Description> {
  return await (await fetch(`${url}/api/openapi.json`)).json()
}

export function operationsOf({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

/** A few operations are outside `/api`. */
export function baseOf({ servers }: Operation): string {
  return servers?.[0]?.url === '/' ? '' : '/api'
}
