import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { SMTPServer } from 'smtp-server'

interface Refusal {
  status: number
  body: unknown
}

export interface TokenEndpoint {
  url: string
  requests: Record<string, string>[]
  /** Those that a mail server may accept. */
  accessTokens: Set<string>
  // s
  lifetime: number
  /** A new refresh token with each access token; the former then ends. */
  rotates: boolean
  refreshToken: string
  /** Until it is null again. */
  refusal: Refusal | null
  close: () => Promise<void>
}

export const clientSecret = 'a client secret of the app'

/**
 * Of an OAuth 2 provider, by https with smtp-server's own certificate, which counts for this machine only.
 * @param host 127.0.0.2 counts as remote for the product, which then requires a valid certificate
 */
export async function startTokenEndpoint(
  host: '127.0.0.1' | '127.0.0.2' = '127.0.0.1',
): Promise<TokenEndpoint> {
  const secureContext = new SMTPServer({ logger: false }).secureContext.get('*')
  const http = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      endpoint.requests.push(fields)
      const { status, body } = endpoint.refusal ?? answerTo(fields)
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const secured = new TLSSocket(socket, { isServer: true, ...(secureContext && { secureContext }) })
    secured.on('error', () => undefined)
    http.emit('connection', secured)
  })
  let issued = 0

  function answerTo(fields: Record<string, string>): Refusal {
    if (fields.client_secret !== clientSecret) {
      return { status: 401, body: { error: 'invalid_client', error_description: 'Wrong secret.' } }
    }
    if (fields.grant_type === 'refresh_token' && fields.refresh_token !== endpoint.refreshToken) {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Expired or revoked.' } }
    }
    issued += 1
    const text = `an access token, the ${issued}th`
    endpoint.accessTokens.add(text)
    const granted = { access_token: text, token_type: 'Bearer', expires_in: endpoint.lifetime }
    if (fields.grant_type !== 'refresh_token' || !endpoint.rotates) return { status: 200, body: granted }
    endpoint.refreshToken = `a refresh token, the ${issued}th`
    return { status: 200, body: { ...granted, refresh_token: endpoint.refreshToken } }
  }

  await once(server.listen(0, host), 'listening')
  // What listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const endpoint: TokenEndpoint = {
    url: `https://${host}:${port}/token`,
    requests: [],
    accessTokens: new Set(),
    lifetime: 3_600,
    rotates: false,
    refreshToken: 'the first refresh token',
    refusal: null,
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return endpoint
}
