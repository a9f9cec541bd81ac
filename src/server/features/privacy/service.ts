import { v7 as createId } from 'uuid'
import type * as z from 'zod/mini'
import type { Queryable } from '#server/database/schema.ts'
import { hasOptedOut } from '#server/features/mail/opt-outs-service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, mustExist, type RecordChange } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { type Column, writeWorkbook } from '#server/spreadsheet/workbook.ts'
import {
  type breachSchema,
  type outcomes,
  type RequestKind,
  requestDueOn,
  type requestSchema,
  restrictionLabels,
} from '#shared/privacy/privacy.ts'
import { type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import { createPrivacyRepository, type FileReader, type FileRow, readHeld, recordRows } from './repository.ts'

export interface PrivacyNeeds {
  /** The requests that students made at /my. */
  requests: {
    closeLinked: (
      change: { tx: Queryable; record: RecordChange },
      end: { id: string; isGranted: boolean; guardianAgreed: boolean },
      actor: Actor,
    ) => Promise<boolean>
    noticeClosed: () => void
  }
}

/** Adds a request with the last day to answer it. @returns its id */
export async function addPrivacyRequest(
  tx: Queryable,
  request: { kind: RequestKind; reference: string; receivedOn: CalendarDate },
): Promise<string> {
  const id = createId()
  const dueOn = requestDueOn(request.receivedOn)
  await createPrivacyRepository(tx).addRequest({ id, ...request, dueOn })
  return id
}

const eraseFirst =
  'Delete the record in Student Management: that closes this request. If the student made it at /my, grant it on the ' +
  'screen Requests first, so that the student gets the answer.'

export const told = ['commission', 'people'] as const

const fileColumns: readonly Column<FileRow>[] = [
  { header: 'Part', width: 16, kind: 'text', value: ({ part }) => part },
  { header: 'When', width: 18, kind: 'instant', value: ({ at }) => at },
  { header: 'What', width: 40, kind: 'text', value: ({ what }) => what },
  { header: 'Value', width: 60, kind: 'text', value: ({ value }) => value },
]

export function createPrivacyService(context: AppContext, { requests }: PrivacyNeeds) {
  const { database, clock, timeZone, audit, keptKeys } = context
  const repository = createPrivacyRepository(database.db)
  const today = () => calendarDateOf(clock(), timeZone)

  // The two semesters of the program are over, and a calendar year has passed.
  async function toArchive() {
    const years = await repository.activeByYear()
    return years.filter(({ academicYear }) => Number(academicYear.slice(5)) < Number(today().slice(0, 4)) - 1)
  }

  return {
    /** All that is held on one person, as a workbook. */
    async fileOf(id: string, actor: Actor, reader: FileReader = 'office') {
      const row = mustExist(await repository.record(id), 'Student not found')
      const entry = { actor, studentId: id, subject: row.reference }
      const action = reader === 'student' ? 'own-file-downloaded' : 'student-file-downloaded'
      await audit.record(database.db, { action, ...entry })
      const rows: FileRow[] = [
        ...recordRows(row),
        ...Object.entries({
          Reference: row.reference,
          Status: row.archived ? 'Archived' : row.status,
          ...(reader === 'office' && { 'Sent from the network': row.network ?? 'Not stored' }),
          Restriction: row.restriction ? restrictionLabels[row.restriction] : 'None',
          'Announcements by e-mail': (await hasOptedOut(database.db, keptKeys, row.email))
            ? 'Stopped'
            : 'Allowed',
        }).map(([what, value]) => ({ part: 'Record', at: null, what, value })),
        { part: 'Record', at: row.registrationDate, what: 'Registered', value: '' },
        { part: 'Consent', at: row.consentedAt, what: 'Privacy notice version', value: row.consentVersion },
        ...(row.guardianConsentedAt
          ? [{ part: 'Consent', at: row.guardianConsentedAt, what: 'Guardian', value: row.guardianName }]
          : []),
        ...(await readHeld(database.db, row, reader)),
      ]
      const workbook = writeWorkbook({
        title: 'Personal data',
        sheetName: 'Personal data',
        created: clock(),
        timeZone,
        columns: fileColumns,
        rows,
      })
      return { fileName: `Personal data ${row.reference}.xlsx`, workbook }
    },

    async overview() {
      const [requests, breaches] = await Promise.all([repository.requests(), repository.breaches()])
      const text = (at: Date | null) => at?.toISOString() ?? null
      return {
        today: today(),
        requests,
        toArchive: await toArchive(),
        breaches: breaches.map((breach) => ({
          ...breach,
          noticedAt: breach.noticedAt.toISOString(),
          commissionAt: text(breach.commissionAt),
          peopleAt: text(breach.peopleAt),
        })),
      }
    },

    async addRequest({ kind, reference, receivedOn }: z.infer<typeof requestSchema>, actor: Actor) {
      if (receivedOn > today()) throw invalid('receivedOn', 'Please enter a date that is not in the future.')
      await commitChange(context, 'students', async (tx, record) => {
        const own = createPrivacyRepository(tx)
        if (!(await own.wasGiven(reference))) throw invalid('reference', 'No record has this code.')
        await addPrivacyRequest(tx, { kind, reference, receivedOn })
        await record({ action: 'privacy-request-added', actor, subject: reference, detail: { kind } })
      })
    },

    async closeRequest(
      id: string,
      { outcome, guardianAgreed }: { outcome: (typeof outcomes)[number]; guardianAgreed: boolean },
      actor: Actor,
    ) {
      const isOfStudent = await commitChange(context, 'students', async (tx, record) => {
        const end = { id, isGranted: outcome === 'granted', guardianAgreed }
        if (end.isGranted && (await createPrivacyRepository(tx).isToErase(id))) {
          throw new AppError('conflict', eraseFirst)
        }
        const isOfStudent = await requests.closeLinked({ tx, record }, end, actor)
        const closed = await createPrivacyRepository(tx).closeRequest(id, outcome, today())
        const subject = mustExist(closed).reference
        await record({ action: 'privacy-request-closed', actor, subject, detail: { outcome } })
        return isOfStudent
      })
      if (isOfStudent) requests.noticeClosed()
    },

    async addBreach({ noticedAt, ...rest }: z.infer<typeof breachSchema>, actor: Actor) {
      await commitChange(context, 'students', async (tx, record) => {
        await createPrivacyRepository(tx).addBreach({
          id: createId(),
          noticedAt: new Date(noticedAt),
          ...rest,
        })
        await record({ action: 'breach-recorded', actor, affected: rest.people })
      })
    },

    async noteTold(id: string, whom: (typeof told)[number], actor: Actor) {
      await commitChange(context, 'students', async (tx, record) => {
        const column = whom === 'people' ? 'peopleAt' : 'commissionAt'
        if (!(await createPrivacyRepository(tx).noteTold(id, column, clock())))
          throw new AppError('not_found')
        await record({ action: 'breach-told', actor, detail: { whom } })
      })
    },
  }
}
