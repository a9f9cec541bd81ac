import { connect, type Socket } from 'node:net'

export interface OpenStreams {
  /** Resolves with the milliseconds until each stream has sent a topic, in ascending order. */
  whenReceived: (topic: string) => Promise<number[]>
  close: () => void
}

export async function openStreams(port: number, count: number): Promise<OpenStreams> {
  const streams = await Promise.all(Array.from({ length: count }, () => openStream(port)))
  return {
    async whenReceived(topic) {
      const from = performance.now()
      const times = await Promise.all(
        streams.map(async (stream) => {
          await received(stream, `data: ${topic}\n`)
          return performance.now() - from
        }),
      )
      return times.sort((one, other) => one - other)
    },
    close() {
      for (const stream of streams) stream.destroy()
    },
  }
}

async function openStream(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  socket.write('GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await received(socket, 'event: hello')
  return socket
}

function received(socket: Socket, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.once('error', reject)
    socket.on('data', function onData(chunk: string) {
      text += chunk
      if (!text.includes(what)) return
      socket.off('data', onData).off('error', reject)
      resolve()
    })
  })
}
