import type { OpenAPIHono } from '@hono/zod-openapi'
import { html, raw } from 'hono/html'
import type { AppEnv } from './context.ts'

type Description = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type Components = NonNullable<Description['components']>
type Schema = NonNullable<Components['schemas']>[string]
type Path = NonNullable<Description['paths']>[string]
type Operation = NonNullable<Path['get']>
type Content = Readonly<Record<string, { schema?: Schema }>>

interface Answer {
  description: string
  content?: Content
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

const style = `
body { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; font: 1rem/1.5 system-ui, sans-serif; color: #14231c; background: #f5f7f5 }
a { color: #17533d }
summary { cursor: pointer; padding: .35rem 0; overflow-wrap: anywhere }
details > div { margin-left: 1rem }
div > p { margin: .5rem 0 }
pre { padding: .5rem .75rem; overflow-x: auto; background: #e6ece8 }
code { font-weight: 600 }
@media (prefers-color-scheme: dark) { body { color: #e8efeb; background: #0e1713 } a { color: #8fd3b3 } pre { background: #1a2620 } }
`

/**
 * The description of the API for people: made here, so that the page needs neither a script nor a library.
 * @returns the page, by the nonce of the response's Content-Security-Policy
 */
export function createDocsPage(description: Description) {
  const { title, version, description: about = '' } = description.info
  const parts = [...operationsByTag(description)].map(
    ([tag, operations]) => html`<h2 id="${tag}">${tag}</h2>${operations.map(operationPart)}`,
  )
  const schemas = Object.entries(description.components?.schemas ?? {}).map(([name, schema]) => {
    const shape = shapeOf(schema)
    return html`<details id="schema-${name}"><summary>${name}</summary><pre>${shape}</pre></details>`
  })
  const main = html`<h1>API of ${title} ${version}</h1>
<p>${about} Addresses begin with <code>/api</code>, but for those of <code>/emailService</code>. What has a name of its own is
described under <a href="#schemas">Schemas</a>. Programs read <a href="/api/openapi.json">the OpenAPI description</a>.</p>
${parts}
<h2 id="schemas">Schemas</h2>
${schemas}`
  return (nonce: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>API of NSTP Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${raw(style)}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>`
}

interface Described {
  method: string
  path: string
  operation: Operation
}

function operationsByTag({ paths = {} }: Description): Map<string, Described[]> {
  const byTag = new Map<string, Described[]>()
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = item[method]
      const [tag = 'other'] = operation?.tags ?? []
      if (operation) byTag.set(tag, [...(byTag.get(tag) ?? []), { method, path, operation }])
    }
  }
  return byTag
}

function operationPart({ method, path, operation }: Described) {
  const { summary = '', description = '', parameters = [], requestBody, responses = {} } = operation
  const permission: unknown = operation['x-permission']
  return html`<details id="${method}${path}"><summary><code>${method.toUpperCase()} ${path}</code> ${summary}</summary>
<div>
<p>${description}</p>
<p>${typeof permission === 'string' ? `Permission: ${permission}.` : ''} ${signInOf(operation)}</p>
${parameters.map((parameter) =>
  '$ref' in parameter
    ? ''
    : html`<p><code>${parameter.name}</code> (${parameter.in}${parameter.required ? ', required' : ''}): ${parameter.description ?? ''}</p>
<pre>${parameter.schema ? shapeOf(parameter.schema) : ''}</pre>`,
)}
${requestBody && !('$ref' in requestBody) ? html`<p>Body. ${requestBody.description ?? ''}</p>${contentPart(requestBody.content)}` : ''}
${answerParts(responses)}
</div></details>
`
}

function signInOf({ security }: Operation): string {
  const schemes = (security ?? []).flatMap((one) => Object.keys(one))
  return schemes.length === 0 ? 'Open to everybody.' : `With ${schemes.join(' or ')}.`
}

function answerParts(answers: Readonly<Record<string, Answer>>) {
  return Object.entries(answers).map(
    ([status, { description, content }]) =>
      html`<p><code>${status}</code> ${description}</p>${content ? contentPart(content) : ''}`,
  )
}

function contentPart(content: Content) {
  return Object.entries(content).map(([type, { schema }]) => {
    const shape = schema ? shapeOf(schema) : ''
    // A problem, or another schema with a name.
    return shape.includes('\n') ? html`<p>${type}:</p><pre>${shape}</pre>` : html`<p>${type}: ${shape}</p>`
  })
}

const limits = [
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'pattern',
  'default',
] as const

/** Writes a schema as a TypeScript type, with the limits of each value behind it. */
function shapeOf(schema: Schema, indent = ''): string {
  if ('$ref' in schema) return schema.$ref?.split('/').at(-1) ?? ''
  const { anyOf, oneOf, allOf, items, properties, additionalProperties, type = 'anything' } = schema
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  const choices = anyOf ?? oneOf
  if (choices) return choices.map((one) => shapeOf(one, indent)).join(' | ')
  if (allOf) return allOf.map((one) => shapeOf(one, indent)).join(' & ')
  const own = limits.flatMap((name) => (schema[name] === undefined ? [] : `${name} ${schema[name]}`))
  const behind = own.length > 0 ? ` (${own.join(', ')})` : ''
  if (items) return `list of ${shapeOf(items, indent)}${behind}`
  if (!properties && typeof additionalProperties !== 'object') return `${[type].flat().join(' | ')}${behind}`
  const deeper = `${indent}  `
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    const about = member.description ? `  // ${member.description}` : ''
    return `${deeper}${name}${mark}: ${shapeOf(member, deeper)}${about}\n`
  })
  const others =
    typeof additionalProperties === 'object'
      ? `${deeper}[name]: ${shapeOf(additionalProperties, deeper)}\n`
      : ''
  return `{\n${members.join('')}${others}${indent}}`
}
