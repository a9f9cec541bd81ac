import type { Readable } from 'node:stream'
import type { Access } from '#server/lib/access.ts'
import type { CountedReader, Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { isVisible } from '#server/lib/visible.ts'
import { type Column, createSheet, writeSheets } from '#server/spreadsheet/workbook.ts'
import { classListMessages, mostListed, sectionLabel, termLabel } from '#shared/terms/terms.ts'
import type { ClassList } from '#shared/terms/terms-response.ts'
import type { ListStanding } from './enrolment-list-service.ts'
import { createSectionsRepository, type TermRow } from './repository.ts'
import { findTerm, presentSection } from './service.ts'

interface Wanted {
  section?: string | undefined
  // A component, or 'all'.
  component: string
  level: string
}

/** Lists classes for paper and for a workbook alike. */
export function createClassLists(
  { database, audit, clock, timeZone }: Pick<AppContext, 'database' | 'audit' | 'clock' | 'timeZone'>,
  listStanding: ListStanding,
) {
  const { db } = database

  async function listsOf(term: TermRow, wanted: Wanted, access: Access): Promise<ClassList[]> {
    const repository = createSectionsRepository(db, access)
    const sections = (await repository.list(term.id)).filter(
      ({ id, component, level }) =>
        (wanted.section === undefined || id === wanted.section) &&
        (wanted.component === 'all' || component === wanted.component) &&
        (wanted.level === 'all' || String(level) === wanted.level),
    )
    const students = await repository.listStudents(sections.map(({ id }) => id))
    return sections.map((section) => {
      const own = students.filter(({ sectionId }) => sectionId === section.id)
      const listed = own.filter(({ restriction }) => restriction === null)
      return {
        section: presentSection(section),
        students: listed.map(({ sectionId: _of, restriction: _none, ...student }) => student),
        leftOut: own.length - listed.length,
      }
    })
  }

  return {
    async read(termId: string, wanted: Wanted, { actor, admit }: CountedReader): Promise<ClassList[]> {
      const term = await findTerm(db, termId)
      const lists = await listsOf(term, wanted, actor.access)
      const affected = countStudents(lists)
      if (affected > mostListed) throw new AppError('too_big', classListMessages.tooMany)
      await admit(lists.flatMap(({ students }) => students.map(({ id }) => id)))
      const detail = { ...detailOf(wanted), list: 'class list' }
      const entry = { action: 'students-listed', actor, subject: termLabel(term), affected, detail } as const
      await audit.recordView(db, entry)
      return lists
    },

    async export(
      termId: string,
      wanted: Wanted,
      actor: Staff,
    ): Promise<{ fileName: string; workbook: Readable }> {
      const term = await findTerm(db, termId)
      const { access } = actor
      const lists = await listsOf(term, wanted, access)
      // A workbook has one sheet at least.
      if (lists.length === 0) throw new AppError('not_found', classListMessages.none)
      const label = termLabel(term)
      const { component, level } = wanted
      const standing = access.can('enrolments')
        ? await listStanding(termId, { component, level }, access)
        : undefined
      const affected = countStudents(lists)
      const detail = { ...detailOf(wanted), list: 'class list' }
      await audit.record(db, { action: 'students-exported', actor, subject: label, affected, detail })
      const names = sheetNames(lists.map(({ section }) => sectionLabel(section)))
      const workbook = writeSheets({
        title: `Class lists of ${label}`,
        created: clock(),
        timeZone,
        sheets: lists.map(({ students }, index) =>
          createSheet(names[index] ?? '', columnsFor(access, standing), numbered(students)),
        ),
      })
      return { fileName: `Class lists ${label}.xlsx`, workbook }
    },
  }
}

const countStudents = (lists: readonly ClassList[]) =>
  lists.reduce((sum, { students }) => sum + students.length, 0)

/** Each section read is an entry of its own. */
const detailOf = ({ section = '', component, level }: Wanted) => ({ section, component, level })

type Line = ClassList['students'][number] & { number: number }

const numbered = (students: ClassList['students']): Line[] =>
  students.map((student, index) => ({ ...student, number: index + 1 }))

/** @param standing of who is near or over the limits of absences; undefined for who doesn't read it */
function columnsFor(access: Access, standing: Awaited<ReturnType<ListStanding>> | undefined): Column<Line>[] {
  const columns: Column<Line>[] = [
    { header: 'No.', width: 6, kind: 'number', value: ({ number }) => number },
    { header: 'Last Name', width: 22, kind: 'text', value: ({ lastName }) => lastName },
    { header: 'First Name', width: 22, kind: 'text', value: ({ firstName }) => firstName },
    { header: 'Middle Name', width: 18, kind: 'text', value: ({ middleName }) => middleName },
    { header: 'Extension', width: 10, kind: 'text', value: ({ extensionName }) => extensionName },
    { header: 'Student ID', width: 16, kind: 'text', value: ({ studentId }) => studentId },
    { header: 'Course', width: 14, kind: 'text', value: ({ course }) => course },
    { header: 'Sex', width: 8, kind: 'text', value: ({ sex }) => sex },
  ]
  if (isVisible('contactNumber', access)) {
    columns.push({ header: 'Contact', width: 18, kind: 'text', value: ({ contactNumber }) => contactNumber })
  }
  if (standing && standing.size > 0) {
    columns.push({ header: 'Absences', width: 10, kind: 'text', value: ({ id }) => standing.get(id) ?? '' })
  }
  return [...columns, { header: 'Remarks', width: 24, kind: 'text', value: () => '' }]
}

// Excel allows no more letters.
const longestSheetName = 31

/** Excel refuses some characters, long names, and names that differ in case only. */
export function sheetNames(labels: readonly string[]): string[] {
  const taken = new Set<string>()
  return labels.map((label) => {
    const plain = label.replace(/[[\]:*?/\\']/g, ' ').trim() || 'Section'
    for (let number = 1; ; number++) {
      const end = number === 1 ? '' : ` (${number})`
      const name = plain.slice(0, longestSheetName - end.length) + end
      if (taken.has(name.toLowerCase())) continue
      taken.add(name.toLowerCase())
      return name
    }
  })
}
