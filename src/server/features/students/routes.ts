import { z } from '@hono/zod-openapi'
import { takeRemovals } from '#server/http/auth.ts'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { selectionLimits, selectionMs } from '#server/http/limits.ts'
import { createRouter, done, json, jsonBody, ok, staffRoutes } from '#server/http/router.ts'
import {
  documented,
  idParams,
  ifMatchHeader,
  jsonSchemaOf,
  knownFilters,
  oneOf,
  searchText,
  trueOrFalse,
  wholeNumber,
} from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { readFieldAliases } from '#shared/field-rules.ts'
import { namedObject } from '#shared/named-object.ts'
import { isCalendarPeriod } from '#shared/periods.ts'
import { correctionReasonNames, restrictions } from '#shared/privacy/privacy.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { bulkFields, studentEditSchema } from '#shared/students/student-edit.ts'
import {
  bulkChangeSchema,
  editedStudentSchema,
  idList,
  idMessage,
  printNoteSchema,
  studentId,
  studentIdsSchema,
  studentMergeSchema,
  studentPageSchema,
  studentRecordSchema,
  studentViewSchema,
} from '#shared/students/student-response.ts'
import {
  studentFilterChoices as choices,
  defaultPageSize,
  defaultStudentFilters as defaults,
  isAcademicYear,
  maxBulkStudents,
  maxPage,
  maxPageSize,
  maxSearchLength,
  maxSheetStudents,
  type StudentFilters,
} from '#shared/students/students.ts'
import { createBulkChanges } from './bulk-change-service.ts'
import { createStudentChanges } from './change-service.ts'
import { createStudentMailing } from './mailing-service.ts'
import { createDuplicates } from './merge-service.ts'
import { createStudentPrints } from './print-service.ts'
import { createRejectionRoutes } from './rejection-routes.ts'
import { createRejections } from './rejections.ts'
import { createStudentsService } from './service.ts'

const recordHeaders = z.object({
  ETag: z.string().openapi({ description: 'The version, quoted.', example: '"1"' }),
})

const record = <T extends z.ZodType>(schema: T) => ({
  200: { ...json(schema, 'The whole record.'), headers: recordHeaders },
})

const reader = staffRoutes('students', 'students.read')
const changer = staffRoutes('students', 'students.change')
const taker = staffRoutes('students', 'students.take-out')

const reason = oneOf('reason', correctionReasonNames).optional()

const editBody = documented(studentEditSchema, 'StudentEdit', readFieldAliases).openapi({
  properties: {
    ...jsonSchemaOf(studentEditSchema).properties,
    birthdate: { type: 'string', description: 'Read as dateOfBirth.' },
    gender: { type: 'string', description: 'Read as sex.' },
  },
})

const editStudent = staffRoutes('students', 'students.edit').patch('/students/{id}', 'Edit a student', {
  description:
    'Any fields, by the rules of the registration. The office may also choose LTS, the 5th year, ' +
    'and courses and academic years of other records. The year level is a number or a label. The ' +
    "record's current value is always accepted. The audit trail keeps the reason. A serial number that another student " +
    'has is refused; one that looks unusual is refused with the path serialMeant until it is confirmed.',
  query: z.object({
    reason,
    serialMeant: trueOrFalse.describe(
      'true: a serial number of an unusual form, or of another component or region, is meant so.',
    ),
  }),
  headers: ifMatchHeader,
  body: jsonBody(editBody, 'The fields to change.'),
  responses: record(editedStudentSchema),
  problems: ['proof_needed'],
})

const archiving = <P extends string>(path: P, summary: string) =>
  changer.post(path, summary, {
    params: idParams,
    responses: record(studentRecordSchema),
    problems: ['not_found', 'proof_needed'],
  })

const archiveStudent = archiving('/students/{id}/archive', 'Archive a student')
const unarchiveStudent = archiving('/students/{id}/unarchive', 'Restore an archived student')

const restrictStudent = staffRoutes('students', 'privacy').put(
  '/students/{id}/restriction',
  'Block a record, or record a withdrawn consent',
  {
    description: 'Bulk mail and exports leave such a record out; lists and sheets say so.',
    body: jsonBody(
      z.strictObject({ restriction: oneOf('restriction', restrictions).nullable() }),
      'null ends it.',
    ),
    responses: record(studentRecordSchema),
    problems: ['proof_needed'],
  },
)

const deleteStudent = staffRoutes('students', 'students.delete').delete(
  '/students/{id}',
  'Delete a student permanently',
  {
    needs: 'fresh sign-in',
    description:
      "With the person's import rows, mail and old values. A restore of an older backup deletes the record again. " +
      'Administrators are notified from the tenth removal an hour: by this, as fake, by the undo of an import, or by a merge.',
    responses: done('Deleted.'),
  },
)

const filters = {
  search: searchText(
    maxSearchLength,
    'Words in any order, each part of a name, the course, the reference, the student ID, the e-mail address or a ' +
      "phone number. Case, accents and punctuation don't matter.",
  ),
  component: oneOf('component', choices.component).default(defaults.component),
  archive: oneOf('archive', choices.archive).default(defaults.archive).describe('active: not archived.'),
  academicYear: z
    .string('Please give one academic year.')
    .refine((year) => year === 'all' || isAcademicYear(year), {
      message: "Please enter the academic year as two consecutive years, such as 2026-2027, or 'all'.",
    })
    .default(defaults.academicYear)
    .openapi({ example: '2026-2027' }),
  period: z
    .custom<StudentFilters['period']>(
      (text) => choices.period.some((period) => period === text) || isCalendarPeriod(String(text)),
      `Please choose one of the listed options for period: ${choices.period.join(', ')}, or a date such as 2026-11.`,
    )
    .default(defaults.period)
    .openapi({
      type: 'string',
      description:
        `${choices.period.join(', ')}; a year, month or day such as 2026, 2026-11 and 2026-11-23; or two times such as ` +
        '2026-11-23T02:10/2026-11-23T03:40. ' +
        'By registration date. Semesters are those of the program, in its time zone; last-semester is the one ' +
        'right before the current one; current-year is the calendar year; last-7-days are the last 168 hours.',
    }),
  duplicates: oneOf('duplicates', choices.duplicates)
    .default(defaults.duplicates)
    .describe('only: possible duplicates.'),
  course: searchText(maxSearchLength, 'The whole name; all by default.').default(defaults.course),
  sex: oneOf('sex', choices.sex).default(defaults.sex),
  yearLevel: oneOf('year level', choices.yearLevel).default(defaults.yearLevel),
  missing: oneOf('missing', choices.missing)
    .default(defaults.missing)
    .describe('Only records without this value; guardian: without any parent or guardian.'),
  network: searchText(maxSearchLength, 'As listed by /students/networks; all by default.').default(
    defaults.network,
  ),
  sort: oneOf('sort', choices.sort)
    .default(defaults.sort)
    .describe("A column; a leading '-' means descending."),
}

const studentFiltersSchema = z.strictObject(filters, knownFilters)

const studentListSchema = z.strictObject(
  {
    ...filters,
    page: wholeNumber('page', maxPage, 1),
    pageSize: wholeNumber('page size', maxPageSize, defaultPageSize),
  },
  knownFilters,
)

const listStudents = reader.get('/students', 'List students', {
  description: 'Students who match all filters. Newest registration first by default.',
  query: studentListSchema,
  responses: ok(studentPageSchema, 'One page and the total.'),
})

const listStudentIds = reader.get('/students/ids', 'List the ids of all matching students', {
  description: 'The ids on all pages, without archived students, in the order of the list.',
  query: studentFiltersSchema,
  responses: ok(studentIdsSchema, 'All, without pages.'),
  problems: ['too_big'],
})

const exportStudents = taker.get('/students/export.xlsx', 'Export students', {
  needs: 'fresh sign-in',
  description: 'A streamed workbook of the listed students with every field.',
  query: studentFiltersSchema,
  responses: workbookResponse,
  problems: ['too_many_requests', 'unavailable'],
})

const readStudent = reader.get('/students/{id}', 'Read a student', {
  description:
    'More than 300 different records an hour, or 99 of assistants and registrars, need a fresh sign-in: in one count with ' +
    'all that shows whole records.',
  responses: record(studentViewSchema),
  problems: ['proof_needed'],
})

const choicesText = 'Including those removed from the settings.'

function choicesBody(name: string) {
  return ok(z.object({ items: z.array(z.string()) }).openapi(name), 'In order.')
}

const readYears = reader.get('/students/academic-years', 'List the academic years of all records', {
  description: choicesText,
  responses: choicesBody('HeldAcademicYears'),
})

const readCourses = reader.get('/students/courses', 'List the courses of all records', {
  description: choicesText,
  responses: choicesBody('HeldCourses'),
})

const countUnseen = reader.get('/students/unseen', 'Count the registrations since the list was last opened', {
  responses: ok(
    namedObject('UnseenStudents', { count: z.int().min(0).max(1_000) }),
    'Opened by this account. 1,000 means 1,000 or more.',
  ),
})

const markSeen = reader.put('/students/seen', 'Record that the list was opened', {
  responses: done('Recorded.'),
})

const selection = (max: number, nothing: string) =>
  z.strictObject({ ids: idList(max).min(1, nothing) }, idMessage)

const exportSelected = taker.post('/students/export.xlsx', 'Export selected students', {
  needs: 'fresh sign-in',
  description: 'The same workbook with these students alone, archived ones too.',
  limits: selectionLimits,
  query: studentFiltersSchema.pick({ sort: true }),
  body: jsonBody(selection(maxBulkStudents, 'No students selected for exporting'), 'The students.'),
  responses: workbookResponse,
  problems: ['conflict', 'too_many_requests', 'unavailable'],
})

const archivingMany = <P extends string>(path: P, summary: string, word: string) =>
  changer.post(path, summary, {
    description: "All or none: if one of the records doesn't exist, nothing changes.",
    limits: selectionLimits,
    body: jsonBody(selection(maxBulkStudents, `No students selected for ${word}`), 'The students.'),
    responses: ok(bulkChangeSchema, "The changed records. Records already in that state don't count."),
    problems: ['conflict'],
  })

const archiveStudents = archivingMany('/students/archive', 'Archive students', 'archiving')
const unarchiveStudents = archivingMany('/students/unarchive', 'Restore archived students', 'unarchiving')

const bulkChangeBody = jsonBody(
  selection(maxBulkStudents, 'No students selected for changing').extend({
    field: oneOf('field', bulkFields),
    value: z.string('Please send the new value as text.').openapi({ example: '2nd Year' }),
  }),
  'The students, and the value that each gets.',
)

const previewBulkChange = changer.post('/students/changes/preview', 'Preview a change of many students', {
  limits: selectionLimits,
  body: bulkChangeBody,
  responses: ok(
    namedObject('BulkChangePreview', {
      total: z.int().describe('Without blocked records.'),
      blocked: z.int().describe('Records that are blocked and stay as they are.'),
      changes: z.array(z.object({ before: z.string(), count: z.int() })),
    }),
    'The number of students, and of those with each other value.',
  ),
})

const makeBulkChange = changer.post('/students/changes', 'Change one field of many students', {
  description: "All or none: if one of the records doesn't exist, nothing changes. Each has an audit entry.",
  limits: selectionLimits,
  body: bulkChangeBody,
  responses: ok(
    namedObject('BulkFieldChange', {
      id: z.uuid(),
      count: z.int(),
      moved: z.int().describe('Enrollments of terms that moved to the new component.'),
      blocked: z.int().describe('Records that are blocked and stay as they are.'),
    }),
    "The changed records' number. Records with that value don't count.",
  ),
  problems: ['conflict'],
})

const undoBulkChange = changer.post('/students/changes/{id}/undo', 'Undo a change of many students', {
  description: 'By who made it, within ten minutes. Records that were changed since keep their value.',
  limits: { deadlineMs: selectionMs },
  responses: ok(
    namedObject('UndoneBulkChange', {
      count: z.int(),
      skipped: z.int(),
      moved: z
        .number()
        .int()
        .describe('Enrollments that are in their earlier component again, without a section.'),
    }),
    'How many records have their old value again, and how many are unchanged.',
  ),
})

const readSheets = taker.post('/students/sheets', 'Read students for printing', {
  description:
    'Whole records in the given order. The audit trail records a print. More than 300 an hour need a fresh sign-in.',
  body: jsonBody(selection(maxSheetStudents, 'No students selected for printing'), 'The students.'),
  responses: ok(namedObject('StudentSheets', { items: z.array(studentRecordSchema) }), 'In order.'),
  problems: ['conflict', 'proof_needed'],
})

const notePrint = reader.post('/students/prints', 'Record a print', {
  description:
    'For prints of data that the browser already has. Refused where the account can’t see so many records, or one of the ' +
    'ids. Those that it has not read as whole records within the hour count as read; more than 300, or 99 of assistants ' +
    'and registrars, need a fresh sign-in.',
  body: jsonBody(printNoteSchema, 'The printed data.'),
  responses: done('Recorded.'),
  problems: ['conflict', 'proof_needed'],
})

const findDuplicates = changer.get('/students/{id}/duplicates', 'List possible duplicates', {
  description:
    'Records of the same academic year with the same name and birth date, e-mail address or ' +
    'student ID, unless marked as different people. More than 300 whole records an hour, or 99 at a desk, need a fresh sign-in.',
  query: z.strictObject(
    { with: studentId.optional().describe('Also this record, of whichever year.') },
    knownFilters,
  ),
  responses: ok(namedObject('StudentDuplicates', { items: z.array(studentRecordSchema) }), 'Oldest first.'),
  problems: ['proof_needed'],
})

const mergeStudents = changer.post('/students/merge', 'Merge two records', {
  description:
    'The remaining record gets the chosen fields of the other one, which is deleted. It counts among the removals of ' +
    'the hour.',
  body: jsonBody(studentMergeSchema, 'The records, and whose values to use.'),
  responses: record(editedStudentSchema),
  problems: ['not_found', 'conflict', 'proof_needed'],
})

const undoMerge = changer.post('/students/{id}/restore', 'Undo the merge that deleted a record', {
  description:
    'Within ten minutes, unless the remaining record was changed since. Both records are as before; older values ' +
    "in the deleted record's history and its marks as no duplicate are lost.",
  responses: done('Undone.'),
  problems: ['conflict'],
})

const dismissDuplicate = changer.post(
  '/students/duplicates/dismiss',
  'Mark two records as different people',
  {
    body: jsonBody(
      z.strictObject({
        ids: z
          .tuple([studentId, studentId], 'Please send the ids of two students.')
          .refine(([one, other]) => one !== other, 'Please send the ids of two students.'),
      }),
      'The two records.',
    ),
    responses: done('Recorded.'),
    problems: ['not_found'],
  },
)

export function createStudents(context: AppContext, { settings }: { settings: () => Settings }) {
  const students = createStudentsService({ ...context, settings })
  const region = () => settings().office.region
  const changes = createStudentChanges({ ...context, offer: settings, region })
  const bulkChanges = createBulkChanges({ ...context, offer: settings })
  const prints = createStudentPrints(context)
  const duplicates = createDuplicates(context)
  const rejections = createRejections(context)
  const own = createRouter()
    .answer(archiveStudents, ({ body, actor }) => changes.setArchivedOfMany(body.ids, true, actor))
    .answer(unarchiveStudents, ({ body, actor }) => changes.setArchivedOfMany(body.ids, false, actor))
    .answer(previewBulkChange, ({ body, access }) => bulkChanges.preview(body, access))
    .answer(makeBulkChange, ({ body, actor }) => bulkChanges.change(body, actor))
    .answer(undoBulkChange, ({ id, actor }) => bulkChanges.undo(id, actor))
    .answer(readSheets, async ({ body, actor, admit }) => {
      await admit(body.ids)
      return { items: await prints.sheets(body.ids, actor) }
    })
    .answer(notePrint, async ({ body, actor, admit }) => {
      await admit(body.ids ?? body.count)
      return await prints.note(body, actor)
    })
    .answer(findDuplicates, async ({ id, query, actor, admit }) => {
      const pair = { id, withId: query.with ?? null }
      return { items: await duplicates.find(pair, { actor, admit }) }
    })
    .answerVersion(mergeStudents, async ({ body, actor, admin }) => {
      await takeRemovals(1, admin)
      const merged = await duplicates.merge(body, actor)
      await admin.noteRemovals(1, actor)
      return merged
    })
    .answer(undoMerge, ({ id, actor }) => duplicates.undoMerge(id, actor))
    .answer(dismissDuplicate, ({ body, actor }) => duplicates.dismiss(body.ids, actor))
    .answer(countUnseen, async ({ actor, access }) => ({
      count: await students.unseen.count(actor.adminId, access),
    }))
    .answer(markSeen, ({ actor }) => students.unseen.markSeen(actor.adminId, context.clock()))
    .answer(readYears, async ({ access }) => ({ items: await students.choices(access).academicYears() }))
    .answer(readCourses, async ({ access }) => ({ items: await students.choices(access).courses() }))
    .answer(listStudents, ({ query, actor }) => students.list(query, actor))
    // These routes come before {id}, which would take their names for one.
    .answer(listStudentIds, ({ query, actor }) => students.activeIds(query, actor))
    .answer(exportStudents, async ({ c, query, actor }) =>
      sendWorkbook(c, await students.export(query, actor)),
    )
    .answer(exportSelected, async ({ c, query, body, actor }) => {
      const filters: StudentFilters = { ...defaults, archive: 'all', ...query }
      return sendWorkbook(c, await students.export(filters, actor, body.ids))
    })
    .answerVersion(readStudent, async ({ id, actor, admit }) => {
      await admit([id])
      return await students.read(id, actor)
    })
    .answerVersion(editStudent, async ({ id, query, body, version, actor, admit }) => {
      const { reason, serialMeant } = query
      const edit = { ...body, reason, serialMeant: serialMeant === 'true' }
      await admit([id])
      const record = await changes.edit(id, version, edit, actor)
      // A request that changes nothing counts as a reading of the record.
      if (record.version === version) await students.read(id, actor)
      return record
    })
    .answerVersion(restrictStudent, async ({ id, body, actor, admit }) => {
      await admit([id])
      return await changes.restrict(id, body.restriction, actor)
    })
    .answerVersion(archiveStudent, async ({ id, actor, admit }) => {
      await admit([id])
      return await changes.setArchived(id, true, actor)
    })
    .answerVersion(unarchiveStudent, async ({ id, actor, admit }) => {
      await admit([id])
      return await changes.setArchived(id, false, actor)
    })
    .answer(deleteStudent, async ({ id, actor, admin }) => {
      await changes.delete(id, actor)
      return await admin.noteRemovals(1, actor)
    })
  return {
    // Rejections come before students, whose {id} would take their names for one.
    routes: createRouter().route('/', createRejectionRoutes(rejections)).route('/', own),
    editWithin: changes.editWithin,
    read: students.read,
    mailing: createStudentMailing({ ...context, settings }),
    async expire() {
      await changes.forgetUndo()
      await rejections.expire()
    },
  }
}
