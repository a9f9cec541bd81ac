import type { Queryable } from '#server/database/schema.ts'
import { findHolders, holderSentence, lockSerials } from '#server/features/students/serial-number-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit, RecordEntry } from '#server/lib/audit.ts'
import { mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ListMember, ListPurpose, ReadRow, RowFields, RowVerdict } from '#server/lib/list-purpose.ts'
import { paperMessages } from '#shared/papers/papers.ts'
import {
  draggedSentence,
  otherSpelling,
  regionDigits,
  repeatedSerials,
  type SerialPatterns,
  serialDoubts,
  serialKey,
  serialNotes,
  writtenSerial,
} from '#shared/papers/serial-checks.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { isComponent, type NstpComponent } from '#shared/students/student-choices.ts'
import { identity } from './content.ts'
import type { FrozenDefinition, ValueName } from './layouts/layout.ts'
import { createPapersRepository, type GraduateLine, type PaperRow } from './repository.ts'
import { createSerialsRepository, type HeldRecord } from './serial-repository.ts'

export interface SerialMember extends ListMember {
  component: NstpComponent
  /** Where the person stands in the paper. */
  place: number
  /** The serial number that the record has now. */
  recordSerial: string
}

interface Needs {
  settings: () => Settings
  audit: Audit
}

type FrozenPaper = PaperRow & { definition: FrozenDefinition }

/** @throws AppError `not_found`; `conflict` before it is sent */
export function mustHaveRows(paper: PaperRow | undefined): FrozenPaper {
  const { definition, ...found } = mustExist(paper, paperMessages.missing)
  if (!definition) throw new AppError('conflict', paperMessages.notFrozen)
  if (found.state === 'frozen') throw new AppError('conflict', paperMessages.notSent)
  return { ...found, definition }
}

/** Serial numbers that came back, of whom a sent paper lists as graduates. */
export function createSerialsList({ settings, audit }: Needs): ListPurpose<SerialMember> {
  return {
    topics: ['students', 'papers'],

    async open(db, { aboutId, access }) {
      const { academicYear } = mustHaveRows(await createPapersRepository(db, access).find(aboutId))
      return { academicYear }
    },

    async lock(tx, { aboutId, access }) {
      await lockSerials(tx)
      mustHaveRows(await createPapersRepository(tx, access).lock(aboutId))
    },

    async members(db, { aboutId, access, recordIds }) {
      const paper = mustHaveRows(await createPapersRepository(db, access).find(aboutId))
      const lines = await listAsked(db, access, paper)
      const wanted =
        recordIds === undefined ? lines : lines.filter(({ studentId }) => recordIds.includes(studentId))
      const held = await createSerialsRepository(db).listHeld(
        wanted.map(({ studentId }) => studentId),
        access,
      )
      return wanted.flatMap((line) => {
        const record = held.get(line.studentId)
        return record === undefined ? [] : [memberOf(line, paper.definition.values, record)]
      })
    },

    async judging(db, { aboutId, access, rows }) {
      const serials = rows.map(({ number, fields }) => ({
        number,
        serialNumber: fields.serialNumber ?? '',
        academicYear: fields.academicYear ?? '',
      }))
      const dragged = draggedSentence(serials)
      if (dragged !== null) throw new AppError('invalid', dragged)
      const { academicYear } = mustHaveRows(await createPapersRepository(db, access).find(aboutId))
      const repeated = repeatedSerials(serials)
      const holderOf = await findHolders(
        db,
        serials.map(({ serialNumber }) => serialNumber),
      )
      const patterns = patternsOf(academicYear, settings())
      return {
        judge(row, member) {
          const holder = holderOf(row.fields.serialNumber ?? '', member.recordId)
          const stop = stopOf(row, member, { repeated, holder, access })
          if (stop !== null) return { state: 'problem', field: 'serialNumber', message: stop }
          return lookAt(row.fields, member, patterns)
        },
      }
    },

    async notes(db, { aboutId, access, rows }) {
      const paper = mustHaveRows(await createPapersRepository(db, access).find(aboutId))
      const asked = await listAsked(db, access, paper)
      const places = new Map(asked.map(({ studentId, number }) => [studentId, number]))
      const matched = rows.flatMap(({ enrolmentId, fields }) => {
        const place = places.get(enrolmentId)
        return place === undefined ? [] : [{ place, serial: fields.serialNumber ?? '' }]
      })
      return serialNotes(matched, asked.length).map(({ sentence }) => sentence)
    },

    async apply(tx, rows, { aboutId, importId, actor }) {
      const serials = createSerialsRepository(tx)
      const wanted = rows.map(({ enrolmentId, fields }) => ({
        studentId: enrolmentId,
        // A list that was checked by an older version has it as it was written.
        serial: writtenSerial(fields.serialNumber ?? ''),
      }))
      const given = await serials.give(wanted)
      const held = await serials.listMeant(importId, 'unchanged')
      await serials.note(aboutId, [...wanted, ...held])
      if (!actor) return
      await audit.recordEach(
        tx,
        given.map(({ serial, ...record }) => entryOf(record, '', serial, { actor, importId })),
      )
    },

    async undo(tx, { aboutId, importId, actor }) {
      const serials = createSerialsRepository(tx)
      const given = await serials.listMeant(importId, 'ready')
      const undone: string[] = []
      for (let start = 0; start < given.length; start += batchSize) {
        const taken = await serials.takeBack(given.slice(start, start + batchSize))
        await serials.note(
          aboutId,
          taken.map(({ id }) => ({ studentId: id, serial: '' })),
        )
        undone.push(...taken.map(({ id }) => id))
        if (!actor) continue
        await audit.recordEach(
          tx,
          taken.map(({ serial, ...record }) => entryOf(record, serial, '', { actor, importId })),
        )
      }
      // Now that no certificate can be issued for these records meanwhile: their rows are locked.
      if (await serials.areCertified(given))
        throw new AppError('conflict', 'A certificate with one of these numbers was issued, so they stay.')
      return undone
    },
  }
}

const batchSize = 500

function entryOf(
  { id, reference }: { id: string; reference: string },
  before: string,
  after: string,
  { actor, importId }: { actor: Actor; importId: string },
): RecordEntry {
  return {
    action: before === '' ? 'serials-applied' : 'student-updated',
    actor,
    studentId: id,
    subject: reference,
    fields: ['serialNumber'],
    values: { before: { serialNumber: before }, after: { serialNumber: after } },
    detail: { import: importId },
  }
}

/** The graduates of a frozen paper, in its order. */
export const listAsked = (
  db: Queryable,
  access: Access,
  { id }: Pick<PaperRow, 'id'>,
): Promise<GraduateLine[]> => createPapersRepository(db, access).listGraduates(id, identity.length)

/** Takes the values that the paper has, although the record may have others by now. */
export function memberOf(
  { studentId, number, cells }: GraduateLine,
  values: readonly ValueName[],
  { serialNumber: recordSerial, restriction }: HeldRecord,
): SerialMember {
  const text = (name: ValueName) => cells[values.indexOf(name)] ?? ''
  const component = text('component')
  return {
    enrolmentId: studentId,
    recordId: studentId,
    level: 2,
    section: '',
    lastName: text('lastName'),
    firstName: text('firstName'),
    middleName: text('middleName'),
    extensionName: text('extensionName'),
    fullName: '',
    studentId: text('studentId'),
    dateOfBirth: text('dateOfBirth'),
    course: '',
    nstpComponent: component,
    component: isComponent(component) ? component : 'CWTS',
    place: number,
    recordSerial,
    restriction,
  }
}

function patternsOf(academicYear: string, { office: { region } }: Settings): SerialPatterns {
  return { region: regionDigits(region), year: academicYear.slice(-2) }
}

/** S02 and S03; also a record that has another number already. */
function stopOf(
  { number, fields: { serialNumber = '' } }: ReadRow,
  member: SerialMember,
  {
    repeated,
    holder,
    access,
  }: {
    repeated: ReadonlyMap<number, string>
    holder: Parameters<typeof holderSentence>[0] | undefined
    access: Access
  },
): string | null {
  if (serialNumber === '') return null
  const twice = repeated.get(number)
  if (twice !== undefined) return twice
  if (holder) return holderSentence(holder, access)
  const { recordSerial } = member
  if (recordSerial === '' || serialKey(recordSerial) === serialKey(serialNumber)) return null
  return `The record has the number ${recordSerial}.`
}

function lookAt(fields: RowFields, member: SerialMember, patterns: SerialPatterns): RowVerdict {
  const { serialNumber = '', lastName = '', firstName = '' } = fields
  const spelling = otherSpelling({ lastName, firstName }, member)
  const note = spelling && { note: { field: 'lastName' as const, message: spelling.sentence } }
  // Nobody got a number there, or the record has it.
  if (serialNumber === '' || member.recordSerial !== '') return { state: 'unchanged', ...note }
  const doubts = serialDoubts(serialNumber, member, patterns)
  if (doubts.length === 0) return { state: 'ready', ...note }
  const message = doubts.map(({ sentence }) => sentence).join(' ')
  return { state: 'differs', field: 'serialNumber', message, otherwise: 'ready' }
}
