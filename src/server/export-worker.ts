import { parentPort, workerData } from 'node:worker_threads'
import { createDatabase } from './database/pool.ts'
import { type ExportThreadData, openExport } from './features/students/export.ts'
import { createLog } from './lib/log.ts'

// The thread of one export. It sends the number of records, and then a piece of the workbook for each message.
const { connection, request }: ExportThreadData = workerData
const database = createDatabase({ connection, log: createLog('warn') })
const { total, workbook } = await openExport(database, request)
const pieces = workbook[Symbol.asyncIterator]()

parentPort?.on('message', async () => {
  const { done, value } = await pieces.next()
  if (done) {
    parentPort?.close()
    await database.close()
  } else {
    // A copy, because a part of a buffer can't be handed over.
    const piece = new Uint8Array(value)
    parentPort?.postMessage(piece, [piece.buffer])
  }
})
parentPort?.postMessage(total)
