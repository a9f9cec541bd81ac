import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256 } from '#server/lib/digest.ts'

// A smaller body fits into one packet anyway.
const minCompressedBytes = 1024
// The first caller waits for the compression: higher qualities are too slow.
const brotliQuality = 6
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
  identity: EncodedBody
  gzip: EncodedBody
  br: EncodedBody
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

/** Prepares a response for repeated sending. Reads its body to the end. */
export async function prepareResponse({ response, route, nonce }: MadeResponse): Promise<CachedResponse> {
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
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-cache')
  const common = [
    ...[...headers].filter(([name]) => !ownHeaders.has(name)).flat(),
    ...['etag', etag, 'vary', varyOf(response.headers)],
  ]
  const body = (content: Buffer, encoding: Encoding): EncodedBody => ({
    bytes: content,
    headers: [
      ...common,
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      ...['content-length', String(content.length)],
    ],
  })
  const identity = body(bytes, 'identity')
  const unchanged = common.filter((_text, index) => common[index - (index % 2)] !== 'content-type')
  if (bytes.length < minCompressedBytes || /\bno-transform\b/.test(headers.get('Cache-Control') ?? '')) {
    const byteLength = bytes.length
    return { route, etag, identity, gzip: identity, br: identity, unchanged, byteLength }
  }
  const [gzipped, brotlied] = await Promise.all([
    promisify(gzip)(bytes),
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  ])
  return {
    route,
    etag,
    identity,
    gzip: body(gzipped, 'gzip'),
    br: body(brotlied, 'br'),
    unchanged,
    byteLength: bytes.length + gzipped.length + brotlied.length,
  }
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
