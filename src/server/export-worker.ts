import { parentPort, workerData } from 'node:worker_threads'
import { createDatabase } from './database/pool.ts'
import { type ExportThreadData, openExport } from './features/students/export.ts'
import { createLog } from './lib/log.ts'

// The thread of one export. It sends the number of records, and then a piece of the workbook for each message.
const { connection, request }: ExportThreadData = workerData
const database = createDatabase({ connection, log: createLog('warn') })
const { total, workbook } = await openExport(database, request)
const pieces = workbook[Symbol.asyncIterator]()

// The bytes of one message. The compressor's pieces are smaller, and each message costs both threads.
const messageLength = 128 * 1024

parentPort?.on('message', async () => {
  const parts: Uint8Array[] = []
  for (let length = 0; length < messageLength; ) {
    const { done, value } = await pieces.next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  if (parts.length === 0) {
    parentPort?.close()
    await database.close()
  } else {
    // A copy, because a part of a buffer can't be handed over.
    const piece = new Uint8Array(Buffer.concat(parts))
    parentPort?.postMessage(piece, [piece.buffer])
  }
})
parentPort?.postMessage(total)
