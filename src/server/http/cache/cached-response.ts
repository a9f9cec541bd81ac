import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'

// A smaller body fits into one packet anyway.
const minCompressedBytes = 1024
// The first caller waits for the compression: higher qualities are too slow.
const brotliQuality = 6
// A larger body isn't cached, only its ETag.
const maxBodyBytes = 256 * 1024
const ownHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-request-id',
])

export type Encoding = 'identity' | 'gzip' | 'br'

// Alternating names and values, as `writeHead` accepts them.
export type HeaderList = string[]

interface EncodedBody {
  bytes: Buffer
  headers: HeaderList
}

export interface CachedResponse {
  route: string
  etag: string
  bodies: Record<Encoding, EncodedBody> | null
  unchanged: HeaderList
  byteLength: number
}

interface MadeResponse {
  response: Response
  route: string
  nonce: string | undefined
}

/** Whether a response may be sent to others too. */
export function isCacheable({ status, headers }: Response): boolean {
  const isPersonal = headers.has('Set-Cookie') || /\bno-store\b/.test(headers.get('Cache-Control') ?? '')
  return status === 200 && !isPersonal
}

/** Prepares a response for repeated sending. Reads its body to the end, unless only its ETag is cached. */
export async function prepareResponse({ response, route, nonce }: MadeResponse): Promise<CachedResponse> {
  const cacheControl = response.headers.get('Cache-Control') ?? ''
  if (/\bimmutable\b/.test(cacheControl)) return await prepareFile(response, route)

  const headers = new Headers(response.headers)
  let text = await response.text()
  const policy = headers.get('Content-Security-Policy')
  if (nonce !== undefined && policy !== null) {
    const page = nameByHashes({ html: text, policy }, nonce)
    text = page.html
    headers.set('Content-Security-Policy', page.policy)
  }
  const bytes = Buffer.from(text)
  // The policy belongs to the content: the same text under another one is another response.
  const digest = sha256(headers.get('Content-Security-Policy') ?? '', bytes)
  const etag = `W/"${digest.toString('base64url').slice(0, 22)}"`
  if (cacheControl === '') headers.set('Cache-Control', 'no-cache')
  const common = [...listOf(headers), ...['etag', etag, 'vary', varyOf(response.headers)]]
  const unchanged = withoutType(common)
  const identity = encoded(common, bytes)
  if (bytes.length < minCompressedBytes || /\bno-transform\b/.test(cacheControl)) {
    const bodies = { identity, gzip: identity, br: identity }
    return { route, etag, bodies, unchanged, byteLength: bytes.length }
  }
  const [gzipped, brotlied] = await Promise.all([
    promisify(gzip)(bytes),
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  ])
  return {
    route,
    etag,
    bodies: { identity, gzip: encoded(common, gzipped, 'gzip'), br: encoded(common, brotlied, 'br') },
    unchanged,
    byteLength: bytes.length + gzipped.length + brotlied.length,
  }
}

// Its address names its content: it has its own ETag, and is the same for everybody and in each encoding.
async function prepareFile(response: Response, route: string): Promise<CachedResponse> {
  const etag = response.headers.get('ETag') ?? ''
  const common = [...listOf(response.headers), 'etag', etag]
  const unchanged = withoutType(common)
  const length = Number(response.headers.get('Content-Length'))
  if (length > maxBodyBytes) {
    return { route, etag, bodies: null, unchanged, byteLength: 0 }
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  // Cut off where a slice failed or the file was removed.
  if (bytes.length !== length) throw new AppError('unavailable')
  const identity = encoded(common, bytes)
  const bodies = { identity, gzip: identity, br: identity }
  return { route, etag, bodies, unchanged, byteLength: bytes.length }
}

function listOf(headers: Headers): HeaderList {
  return [...headers].filter(([name]) => !ownHeaders.has(name)).flat()
}

function withoutType(headers: HeaderList): HeaderList {
  return headers.filter((_text, index) => headers[index - (index % 2)] !== 'content-type')
}

function encoded(common: HeaderList, bytes: Buffer, encoding?: Encoding): EncodedBody {
  const encodingHeader = encoding ? ['content-encoding', encoding] : []
  return { bytes, headers: [...common, ...encodingHeader, 'content-length', String(bytes.length)] }
}

// Signed-in users, and those who read another language, get another response at the same address.
function varyOf(headers: Headers): string {
  const named =
    headers
      .get('Vary')
      ?.split(',')
      .map((name) => name.trim()) ?? []
  const ours = ['Accept-Encoding', 'Accept-Language', 'Cookie']
  const others = named.filter((name) => !ours.some((own) => own.toLowerCase() === name.toLowerCase()))
  return [...others, ...ours].join(', ')
}

// Inline scripts and styles. Neither can contain its own end tag.
const inline = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g

interface PolicedPage {
  html: string
  policy: string
}

/**
 * Makes a page and its policy cacheable. A shared nonce would be public, so each script and style with the nonce is
 * allowed by its hash instead. Injected markup has no nonce, gets no hash, and remains refused.
 */
export function nameByHashes({ html, policy }: PolicedPage, nonce: string): PolicedPage {
  const mark = ` nonce="${nonce}"`
  const hashes: Record<string, Set<string>> = { script: new Set(), style: new Set() }
  for (const [, element = '', attributes = '', text = ''] of html.matchAll(inline)) {
    if (!attributes.includes(mark) || /\ssrc=/.test(attributes)) continue
    hashes[element]?.add(`'sha256-${sha256(text).toString('base64')}'`)
  }
  const inDirective = (directive: string) => {
    const named = directive.trimStart().startsWith('script-src ') ? hashes.script : hashes.style
    return directive.replace(`'nonce-${nonce}'`, [...(named ?? [])].join(' '))
  }
  return { html: html.replaceAll(mark, ''), policy: policy.split(';').map(inDirective).join(';') }
}
