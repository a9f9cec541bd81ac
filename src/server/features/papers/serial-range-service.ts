import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import { importFieldLabel } from '#shared/imports/imports.ts'
import type { SerialRange } from '#shared/papers/papers.ts'
import { serialRange } from '#shared/papers/serial-checks.ts'
import { createPapersRepository } from './repository.ts'
import { listAsked, memberOf, mustHaveRows } from './serial-service.ts'

type ListFile = { bytes: Buffer } & Pick<
  ImportDetails,
  'fileName' | 'purpose' | 'termId' | 'paperId' | 'reference' | 'receivedOn'
>

export interface RangeNeeds {
  addList: (file: ListFile, actor: Staff) => Promise<ImportDetails>
}

const columns = [
  'studentId',
  'lastName',
  'firstName',
  'middleName',
  'extensionName',
  'dateOfBirth',
  'nstpComponent',
] as const

/**
 * A range that came in a letter is dealt out in the order of the paper, to those of a component who have no number. From
 * there on it is as a file that came back.
 */
export function createSerialRange({ database }: Pick<AppContext, 'database'>, { addList }: RangeNeeds) {
  return async (
    paperId: string,
    { component, first, last, reference, receivedOn }: SerialRange,
    actor: Staff,
  ): Promise<ImportDetails> => {
    const paper = mustHaveRows(await createPapersRepository(database.db, actor.access).find(paperId))
    const range = serialRange(first, last)
    if ('problem' in range) throw invalid(range.field, range.problem)
    const asked = (await listAsked(database.db, actor.access, paper))
      .filter(({ serial }) => serial === '')
      .map((line) => memberOf(line, paper.definition.values, { serialNumber: '', restriction: null }))
      .filter((member) => member.component === component)
    const count = range.serials.length
    if (count !== asked.length) {
      const students = `${asked.length} ${component} ${asked.length === 1 ? 'student' : 'students'}`
      throw new AppError('invalid', `That is ${count} ${count === 1 ? 'number' : 'numbers'} for ${students}.`)
    }
    const heads = [...columns, 'serialNumber' as const].map(importFieldLabel)
    const rows = asked.map((member, index) => [
      ...columns.map((column) => member[column]),
      range.serials[index] ?? '',
    ])
    const csv = [heads, ...rows].map((cells) => cells.map(quoted).join(',')).join('\n')
    return await addList(
      {
        bytes: Buffer.from(csv),
        fileName: `${first} to ${last}`,
        purpose: 'serials',
        termId: null,
        paperId,
        reference,
        receivedOn,
      },
      actor,
    )
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
