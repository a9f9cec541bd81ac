import type { Queryable } from '#server/database/schema.ts'
import { findHolders, holderSentence } from '#server/features/students/serial-number-service.ts'
import type { Access } from '#server/lib/access.ts'
import { createPause } from '#server/lib/scheduler.ts'
import { regionDigits, repeatedSerials, serialDoubts } from '#shared/papers/serial-checks.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import { createRowsRepository, type SerialRow } from './rows-repository.ts'

const batchSize = 500

/**
 * The serial numbers that the rows of an import of students write: none is given to two, and an unusual one is confirmed
 * before it is taken. Before the import is run, its transaction has the lock of serial numbers.
 * @returns the rows that were ready and aren't any more
 */
export async function checkSerials(
  tx: Queryable,
  importId: string,
  { access, region }: { access: Access; region: string },
): Promise<number[]> {
  const rows = createRowsRepository(tx)
  const found = await rows.listSerials(importId)
  if (found.length === 0) return []
  const pause = createPause()
  const taken = found.filter(({ decision }) => decision !== 'skip')
  const repeated = repeatedSerials(taken.map((row) => ({ ...row, academicYear: '' })))
  const holderOf = await findHolders(
    tx,
    taken.map(({ serialNumber }) => serialNumber),
  )
  const patterns = { region: regionDigits(region), year: '' }
  const resultOf = (row: SerialRow) => {
    const { number, recordId, serialNumber, nstpComponent } = row
    const holder = holderOf(serialNumber, recordId)
    const person = { ...row, component: isComponent(nstpComponent) ? nstpComponent : ('' as const) }
    const doubts = serialNumber === '' ? [] : serialDoubts(serialNumber, person, patterns)
    return {
      number,
      serialStop: repeated.get(number) ?? (holder ? holderSentence(holder, access) : ''),
      serialQuestion: doubts.map(({ sentence }) => sentence).join(' '),
    }
  }
  const changed: ReturnType<typeof resultOf>[] = []
  const unready: number[] = []
  for (const row of found) {
    const result = resultOf(row)
    if (result.serialStop !== row.serialStop || result.serialQuestion !== row.serialQuestion)
      changed.push(result)
    if (row.state === 'ready' && isOpen(result, row)) unready.push(row.number)
    await pause()
  }
  for (let first = 0; first < changed.length; first += batchSize)
    await rows.saveSerials(importId, changed.slice(first, first + batchSize))
  if (changed.length > 0) await rows.updateStates(importId)
  return unready
}

const isOpen = (
  { serialStop, serialQuestion }: Pick<SerialRow, 'serialStop' | 'serialQuestion'>,
  { decision }: Pick<SerialRow, 'decision'>,
) => serialStop !== '' || (serialQuestion !== '' && decision !== 'take')
