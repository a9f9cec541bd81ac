import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { mustBe, takeRemovals } from '#server/http/auth.ts'
import type { AppEnv } from '#server/http/context.ts'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { files, selectionMs } from '#server/http/limits.ts'
import { binary, isForm, readForm } from '#server/http/read-body.ts'
import { created, createRouter, done, jsonBody, ok, staffRoutes } from '#server/http/router.ts'
import { idParams } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { invalid } from '#server/lib/errors.ts'
import { fileSentences } from '#server/spreadsheet/reading/zip-parts.ts'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import {
  importBody,
  importListBody,
  importRowBody,
  importRowPageBody,
  readingChoices,
} from '#shared/imports/import-response.ts'
import { importSentences, maxImportBytes, purposePermissions } from '#shared/imports/imports.ts'
import { createImportRowsService } from './row-service.ts'
import {
  decisionBody,
  importsQuery,
  mappingBody,
  replacementBody,
  rowChangeBody,
  rowsQuery,
  runBody,
  undoBody,
  uploadQuery,
} from './schemas.ts'
import { createImportsService } from './service.ts'
import type { WorkOptions } from './work.ts'

const admin = staffRoutes('imports', 'imports')
const rowNumber = 'Please name the row by its number.'
const oneRow = idParams.extend({
  number: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, rowNumber)
    .transform(Number)
    .refine((number) => number < 2 ** 31, rowNumber)
    .openapi({ type: 'integer' }),
})

const importFile = {
  required: true,
  content: {
    'multipart/form-data': { schema: { type: 'object', properties: { file: binary } } },
    'application/octet-stream': { schema: binary },
    'application/json': { schema: binary },
    'text/csv': { schema: binary },
    [workbookType]: { schema: binary },
  },
} as const

const upload = admin.post('/imports', 'Upload a file', {
  description:
    'An .xlsx or CSV file of up to 20 MB and 50,000 rows, or the JSON export of the old system ' +
    'with its students keyed by their id: as the whole body, or as the part `file` of ' +
    'multipart/form-data. Columns are matched by their headings. With another purpose than `students` it is a list of ' +
    'students of a term, or of the serial numbers of a paper, which needs the permission of that purpose too.',
  query: uploadQuery,
  body: importFile,
  responses: created(importBody, 'The columns with samples, and the number of rows.'),
  problems: ['too_many_requests'],
  limits: files(maxImportBytes, importSentences.tooBig, 'file'),
})

const list = admin.get('/imports', 'List imports', {
  description: 'Of one purpose; lists of students of one term.',
  query: importsQuery,
  responses: ok(importListBody, 'Newest first.'),
})

const read = admin.get('/imports/{id}', 'Read an import', {
  description: 'Its state, counts and progress.',
  responses: ok(importBody, 'The import.'),
})

const map = admin.put('/imports/{id}/mapping', 'Match the columns and check the rows', {
  description:
    'The check runs in the background; the topic `imports` announces its progress. With ' +
    '`updateBy` the rows update existing records by the rules of an edit: empty cells change ' +
    'nothing, and only the fields of the form are read. Without it they become new records.',
  body: jsonBody(mappingBody, 'The field of each column.'),
  responses: ok(importBody, 'The import, being checked.'),
  problems: ['conflict'],
})

const readAgain = admin.put('/imports/{id}/reading', 'Read the file another way', {
  description:
    'With or without other sheets, what is hidden, and rows that are no people: `readingNotes` of the import say what there is. ' +
    'The rows are new, and their columns are to be matched again.',
  body: jsonBody(readingChoices, 'What is read.'),
  responses: ok(importBody, 'The import, with its columns to match.'),
  problems: ['conflict', 'too_many_requests'],
})

const listRows = admin.get('/imports/{id}/rows', 'List rows', {
  description: 'More than 300 rows an hour need a fresh sign-in, in one count with whole records.',
  query: rowsQuery,
  responses: ok(importRowPageBody, 'In the order of the file.'),
  problems: ['proof_needed'],
})

const changeRow = admin.patch('/imports/{id}/rows/{number}', 'Correct, skip or include a row', {
  limits: { deadlineMs: selectionMs },
  description: 'The row is checked again. The rows of a list are compared again.',
  params: oneRow,
  body: jsonBody(rowChangeBody, 'What to change.'),
  responses: ok(importRowBody, 'The row after the change.'),
  problems: ['conflict', 'proof_needed'],
})

const decideRows = admin.patch('/imports/{id}/rows', 'Skip or include all rows in a state', {
  limits: { deadlineMs: selectionMs },
  body: jsonBody(decisionBody, 'The rows, and what to do.'),
  responses: ok(importBody, 'The import with its new counts.'),
  problems: ['conflict'],
})

const replaceValue = admin.post('/imports/{id}/replacements', 'Replace a value in all rows that have it', {
  description: 'All rows are checked again in the background, also by options that were added since.',
  body: jsonBody(replacementBody, 'The field, its value, and the new one.'),
  responses: ok(importBody, 'The import, being checked.'),
  problems: ['conflict'],
})

const run = admin.post('/imports/{id}/run', 'Import the ready rows', {
  description:
    'In the background and in one transaction: all or none. If a record was changed since the ' +
    'check, nothing is updated and its row becomes a problem. The rows of a list are compared again first.',
  body: jsonBody(runBody, 'Why marks are entered after the term.'),
  responses: ok(importBody, 'The import, running.'),
  problems: ['invalid', 'conflict'],
})

const undo = admin.post('/imports/{id}/undo', 'Undo an import', {
  limits: { deadlineMs: selectionMs },
  description:
    'Deletes the records it created, except those of students in a term, or with a credit or exemption. Updated records ' +
    'get their old values back, ' +
    'unless one of them was changed since. To delete more than 100 an hour needs a fresh sign-in. Of a list, what ' +
    'it changed is as before.',
  body: jsonBody(undoBody, 'Whether changed records are deleted too.'),
  responses: ok(importBody, 'The import without its records.'),
  problems: ['conflict', 'proof_needed'],
})

const refused = admin.get('/imports/{id}/refused.xlsx', 'Download the rows that were not imported', {
  description:
    "With the file's columns and one for the reason. The corrected file can be imported. More than 300 rows an hour " +
    'need a fresh sign-in.',
  responses: workbookResponse,
  problems: ['conflict', 'proof_needed'],
})

const discard = admin.delete('/imports/{id}', 'Delete the rows of the file', {
  description: 'Imported records and the counts remain.',
  responses: done('Deleted.'),
  problems: ['conflict'],
})

export function createImports(context: AppContext, needs: Omit<WorkOptions, keyof AppContext>) {
  const options = { ...context, ...needs }
  const imports = createImportsService(options)
  const rows = createImportRowsService(options, imports)

  const routes = createRouter()
    .answer(upload, async ({ c, query, actor }) => {
      const { fileName: named, purpose, term = null, paper = null } = query
      await mustBe(c, purposePermissions[purpose])
      const { file: bytes, fileName } = await readUpload(c, named)
      return await imports.upload({ bytes, fileName, purpose, termId: term, paperId: paper }, actor)
    })
    .answer(list, async ({ c, query, actor }) => {
      const { purpose, term = null, paper = null } = query
      await mustBe(c, purposePermissions[purpose])
      return await imports.list({ purpose, termId: term, paperId: paper }, actor)
    })
    .answer(read, ({ id, actor }) => imports.details(id, actor))
    .answer(map, ({ id, body, actor }) => imports.map(id, body, actor))
    .answer(readAgain, ({ id, body, actor }) => imports.readAgain(id, body, actor))
    .answer(listRows, ({ id, query, actor, admit }) => {
      const { state, page } = query
      const wanted = { state: state === 'all' ? null : state, page }
      const admitRows = (numbers: number[]) => admit(numbers.map(rowOf(id)))
      return rows.list(id, wanted, { actor, admit: admitRows })
    })
    .answer(changeRow, async ({ params: { id, number }, body, actor, admit }) => {
      await admit([rowOf(id)(number)])
      return await rows.changeRow(id, number, body, actor)
    })
    .answer(decideRows, ({ id, body, actor }) => rows.decideAll(id, body, actor))
    .answer(replaceValue, ({ id, body, actor }) => rows.replaceValue(id, body, actor))
    .answer(run, ({ id, body, actor }) => imports.run(id, body, actor))
    .answer(undo, async ({ id, body, actor, admin }) => {
      const admit = (count: number) => takeRemovals(count, admin)
      const { removed, undone } = await imports.undo(id, body, { actor, admit })
      await admin.noteRemovals(removed, actor)
      return undone
    })
    .answer(refused, async ({ c, id, actor, admit }) => {
      await mustBe(c, 'students.take-out')
      return sendWorkbook(c, await rows.refused(id, { actor, admit }))
    })
    .answer(discard, ({ id, actor }) => imports.discard(id, actor))
  return { routes, resume: imports.resume, expire: imports.expire, addList: imports.addList }
}

/** The key of an import's row in the count of whole records. */
const rowOf = (importId: string) => (number: number) => `${importId} ${number}`

async function readUpload(c: Context<AppEnv>, named: string) {
  const { bytes, fileName } = isForm(c)
    ? ((await readForm(c, ['file'])).files.file ?? { bytes: Buffer.alloc(0), fileName: '' })
    : { bytes: Buffer.from(await c.req.arrayBuffer()), fileName: named }
  if (bytes.length > 0) return { file: bytes, fileName }
  throw invalid('file', fileName === '' ? 'Please choose a file to import.' : fileSentences.nothing)
}
