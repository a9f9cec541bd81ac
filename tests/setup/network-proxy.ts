import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface NetworkProxy {
  port: number
  /** Drops bytes in both directions: nothing is closed and nothing arrives. */
  swallow: () => void
  /** Accepts new connections again; those that lost bytes remain broken. */
  heal: () => void
  close: () => Promise<void>
}

/**
 * A proxy that can fail, between a program and a server on this machine.
 * @param path the server's socket
 * @param change returns what the server gets instead of what the program sends
 */
export async function startNetworkProxy(
  path: string,
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<NetworkProxy> {
  const sockets = new Set<Socket>()
  let isBroken = false

  function track(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Either side may disconnect at any time here.
    socket.on('error', () => socket.destroy())
    return socket
  }

  const server = createServer((client) => {
    track(client)
    if (isBroken) return
    const upstream = track(connect(path))
    const changing = new Transform({
      transform: (bytes: Buffer, _encoding, done) => done(null, change(bytes)),
    })
    client.pipe(changing).pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('a TCP server has an address')

  return {
    port: address.port,
    swallow() {
      isBroken = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    heal() {
      isBroken = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
