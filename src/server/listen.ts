import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { z } from '@hono/zod-openapi'
import { codeOf } from './database/errors.ts'
import { ConfigurationError } from './env.ts'
import { isUpload, uploadMs } from './http/limits.ts'
import { networkOf } from './lib/network.ts'
import { after, every } from './lib/scheduler.ts'

const finishMs = 10_000
const pollEveryMs = 50
// Proxies keep a connection open for up to 60 s (nginx). The server waits longer: it must not close one just as it is reused.
const keepAliveMs = 65_000
// A slow sender of headers occupies a connection for twice these ms at most, since connections are checked as often.
const headersMs = 20_000
// A request must arrive within so many ms. An upload has longer.
const arrivalMs = 60_000
// An upload may wait in the queue as long as it may take to arrive. Node's own limit is 5 minutes.
const requestMs = 2 * uploadMs

const report = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) })

// Infinite where there is none, or the system doesn't tell.
function descriptorLimit(): number {
  const { data } = report.safeParse(process.report.getReport())
  return data?.userLimits.open_files.soft ?? Number.POSITIVE_INFINITY
}

// Connections to the database and the mail server, files, pipes.
const reservedDescriptors = 256
// Where the system has no limit, memory is one.
const greatestConnections = 20_000

/** Each connection takes a descriptor of the process. */
export function connectionsWithin(descriptors: number): number {
  return Math.max(reservedDescriptors, Math.min(descriptors - reservedDescriptors, greatestConnections))
}

export const maxConnections = connectionsWithin(descriptorLimit())

/** A network must leave connections to the others. */
export const maxConnectionsOfNetwork = Math.floor(maxConnections / 3)

// The most requests of one connection that are open at once. Browsers and proxies send the next request after the
// answer. Node begins all requests that came in one packet, and keeps finished answers until those before them are read.
const maxAtOnce = 8
// Node reads up to so many bytes at once. Only after a full read does it read the same connection again before the others.
const readBytes = 65_536

const overload =
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: 5\r\n\r\n'

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

interface ListenOptions {
  fetch: Parameters<typeof getRequestListener>[0]
  host: string
  port: number
  middleware?: Middleware | undefined
  arrivesWithinMs?: number
  /** How many connections the network of an address may have. Behind a proxy all are the proxy's. */
  connectionsFor?: ((address: string) => number) | undefined
}

export interface Listener {
  url: string
  /** Accepts no more connections, waits for running requests, and cuts them after 10 s. */
  stop: () => Promise<void>
}

/**
 * Opens the product's port.
 * @throws ConfigurationError when the address isn't available
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { fetch, host, port, middleware, arrivesWithinMs = arrivalMs, connectionsFor } = options
  const handle = getRequestListener(fetch)
  const headersTimeout = Math.min(headersMs, arrivesWithinMs)
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout,
      requestTimeout: requestMs,
      connectionsCheckingInterval: headersTimeout,
    },
    (request, response) => {
      if (!admit(request.socket, response)) return
      request.url = pathOf(request.url)
      cutHalfSent(request, arrivesWithinMs)
      if (middleware) middleware(request, response, () => void handle(request, response))
      else void handle(request, response)
    },
  )
  // Node would answer all of a packet by itself.
  server.on('checkExpectation', (request, response) => {
    if (admit(request.socket, response)) response.writeHead(417).end()
  })
  server.maxConnections = maxConnections
  const { connections, accept, admit } = createConnections(connectionsFor)
  server.on('connection', accept)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, port)))
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const boundPort = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${boundPort}`,
    stop: () => close(server, connections),
  }
}

interface Arrivals {
  // How many requests came together, and the bytes that had arrived with the last of them.
  together: number
  arrived: number
}

interface Connection extends Arrivals {
  // The oldest response is first.
  underWay: Set<ServerResponse>
}

function createConnections(connectionsFor: ListenOptions['connectionsFor']) {
  const connections = new Map<Socket, Connection>()
  const ofNetwork = new Map<string, number>()

  function accept(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address, 48)
    const count = ofNetwork.get(network) ?? 0
    if (connectionsFor && count >= connectionsFor(address)) return void socket.destroy()
    ofNetwork.set(network, count + 1)
    const underWay: Connection['underWay'] = new Set()
    connections.set(socket, { underWay, together: 0, arrived: 0 })
    socket.once('close', () => {
      connections.delete(socket)
      const left = (ofNetwork.get(network) ?? 0) - 1
      if (left > 0) ofNetwork.set(network, left)
      else ofNetwork.delete(network)
      // Node closes the response whose turn it is; those after it would count for ever where they are counted.
      for (const response of underWay) if (!response.socket) response.destroy().emit('close')
    })
  }

  /** @returns whether the request is to be answered; beyond the limit the connection is closed */
  function admit(socket: Socket, response: ServerResponse): boolean {
    const connection = connections.get(socket)
    // Later requests of the packet that closed it are still read.
    if (!connection || socket.destroyed) return false
    const { underWay } = connection
    if (countTogether(connection, socket.bytesRead) <= maxAtOnce && underWay.size < maxAtOnce) {
      underWay.add(response)
      response.once('close', () => underWay.delete(response))
      return true
    }
    const [first] = underWay
    if (!first?.headersSent) socket.write(overload)
    socket.destroy()
    return false
  }

  return { connections, accept, admit }
}

/**
 * Counts a request. What is refused without asking the database is answered before Node parses the next request of the
 * packet, so the number under way doesn't say how many came together. Nor does a turn of the event loop: on a busy machine,
 * thousands who wait for each answer send several requests within one. Theirs come in reads that are not full.
 * @param arrived the bytes of the connection so far, with this request
 * @returns how many came together, this one among them
 */
export function countTogether(connection: Arrivals, arrived: number): number {
  if (connection.together === 0) {
    setImmediate(() => {
      connection.together = 0
    })
  }
  const isTogether = (arrived - connection.arrived) % readBytes === 0
  connection.together = isTogether ? connection.together + 1 : 1
  connection.arrived = arrived
  return connection.together
}

// Node has one time limit for all requests, and it is that of uploads.
function cutHalfSent(request: IncomingMessage, ms: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return
  const cancel = after(ms, () => {
    if (!request.complete && !isUpload(request)) request.socket.destroy()
  })
  request.once('close', cancel)
}

// Reduces a target in absolute form (RFC 9112 §3.2.2) to its path: only the Host header names the host.
function pathOf(target = '/'): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return path === target || path.startsWith('/') ? path : `/${path}`
}

function explain(error: Error, host: string, port: number): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another program. Stop that program, or use another port: PORT=${port + 1} npm start.`,
    EACCES: `This user isn't allowed to open port ${port}. Set PORT to a port above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: `${host} is not a known address. Set HOST to one of this machine, such as 127.0.0.1 or 0.0.0.0.`,
  }
  const sentence = sentences[codeOf(error) ?? '']
  return sentence ? new ConfigurationError(sentence, { cause: error }) : error
}

async function close(server: Server, connections: ReadonlyMap<Socket, unknown>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // Browsers open connections ahead of need, and Node doesn't count one without a request as idle.
  for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
  // A keep-alive connection becomes idle after its last response, which may be after the close.
  const stopSweeping = every(pollEveryMs, () => server.closeIdleConnections())
  const cancelCut = after(finishMs, () => server.closeAllConnections())
  await closed
  stopSweeping()
  cancelCut()
}
