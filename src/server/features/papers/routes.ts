import { z } from '@hono/zod-openapi'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { files, selectionMs } from '#server/http/limits.ts'
import { binary } from '#server/http/read-body.ts'
import { created, createRouter, done, formBody, jsonBody, ok, staffRoutes } from '#server/http/router.ts'
import { ifMatchHeader, knownFilters, oneOf, seenVersionHeader, wholeNumber } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { tooBig } from '#server/lib/errors.ts'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import {
  freezeSchema,
  layoutCodes,
  maxBaseBytes,
  newPaperSchema,
  paperEditSchema,
  paperLists,
  paperMessages,
  paperStateSchema,
} from '#shared/papers/papers.ts'
import {
  baseAnswerSchema,
  layoutListSchema,
  paperListSchema,
  paperRowsSchema,
  paperSchema,
} from '#shared/papers/papers-response.ts'
import { createCheckRoutes } from './check-routes.ts'
import { type CheckNeeds, createChecks } from './check-service.ts'
import { createLayouts, type LayoutNeeds } from './layout-service.ts'
import type { ChosenColumn } from './own-workbook.ts'
import { createSerialsList } from './serial-service.ts'
import { createPapersService } from './service.ts'

const tag = 'papers'
const staff = staffRoutes(tag, 'papers')

const listPapers = staff.get('/papers', 'List the papers', {
  query: z.strictObject(
    { year: z.string().optional().describe('An academic year; without it, all.') },
    knownFilters,
  ),
  responses: ok(paperListSchema, 'The latest first, of the components that the account has.'),
})

const addPaper = staff.post('/papers', 'Make a paper', {
  description: 'A draft: it lists whom it will be about when it is frozen.',
  body: formBody(newPaperSchema, 'NewPaper', 'The paper.'),
  responses: created(paperSchema, 'The paper, with its version as ETag.'),
})

const readPaper = staff.get('/papers/{id}', 'Read a paper', {
  responses: ok(paperSchema, 'With its version as ETag.'),
})

const editPaper = staff.patch('/papers/{id}', 'Change a paper', {
  description: 'Components and options of a draft only.',
  headers: ifMatchHeader,
  body: formBody(paperEditSchema, 'PaperEdit', 'All that can be changed.'),
  responses: ok(paperSchema, 'The paper after the change, with its version as ETag.'),
})

const deletePaper = staff.delete('/papers/{id}', 'Delete a draft', {
  headers: seenVersionHeader,
  responses: done('Deleted.'),
})

const limits = { deadlineMs: selectionMs }

const freezePaper = staff.post('/papers/{id}/freeze', 'Freeze a paper', {
  description: 'Later corrections of records don’t change it. Not while something must be fixed first.',
  limits,
  headers: ifMatchHeader,
  body: formBody(freezeSchema, 'PaperFreeze', 'With the basis of the check.'),
  responses: ok(paperSchema, 'The frozen paper, with its version as ETag.'),
})

const unfreezePaper = staff.post('/papers/{id}/unfreeze', 'Unfreeze a paper that wasn’t sent', {
  headers: ifMatchHeader,
  responses: ok(paperSchema, 'The draft, with its version as ETag.'),
})

const setState = staff.post('/papers/{id}/state', 'Record that a paper was sent, accepted or returned', {
  headers: ifMatchHeader,
  body: formBody(paperStateSchema, 'PaperStep', 'What happened, and when.'),
  responses: ok(paperSchema, 'The paper, with its version as ETag.'),
})

const copyPaper = staff.post('/papers/{id}/copy', 'Make a corrected paper', {
  description: 'Of a returned one: a draft that follows it, with its answers.',
  responses: created(paperSchema, 'The draft, with its version as ETag.'),
  problems: ['conflict'],
})

const readRows = staff.get('/papers/{id}/rows', 'Read the rows of a frozen paper', {
  description:
    'Students of more than 300 rows an hour need a fresh sign-in, in one count with whole records.',
  query: z.strictObject(
    {
      list: oneOf('list', paperLists),
      page: wholeNumber('page', 100_000, 1),
      pageSize: wholeNumber('number of rows', 200, 50),
    },
    knownFilters,
  ),
  responses: ok(paperRowsSchema, 'As they were frozen.'),
  problems: ['conflict', 'proof_needed'],
})

const downloadPaper = staffRoutes(tag, 'students.take-out').get(
  '/papers/{id}/file.xlsx',
  'Download a frozen paper',
  {
    needs: 'fresh sign-in',
    description: 'Written from what was frozen: each time the same.',
    responses: workbookResponse,
    problems: ['conflict'],
  },
)

const listLayouts = staff.get('/layouts', 'List the papers that can be made', {
  responses: ok(layoutListSchema, 'With what each takes.'),
})

const layouts = staffRoutes(tag, 'layouts')
const layoutParams = z.object({ code: oneOf('code', layoutCodes) })

const confirmLayout = layouts.put('/layouts/{code}/confirmed', 'Confirm the form of a paper', {
  description: 'The office has compared it with what the agency asks for.',
  params: layoutParams,
  body: jsonBody(z.strictObject({ isConfirmed: z.boolean() }), 'Whether it is.'),
  responses: done('Noted.'),
})

const useBase = layouts.put('/layouts/{code}/base', 'Use an own workbook for a paper', {
  description:
    'An .xlsx file of up to 5 MB, as the whole body. Sheets are found by name or place, columns by their headings. ' +
    'Macros, links to other files, formulas that ask a service or a program, and old rows are removed. Where headings ' +
    'are unknown, nothing is stored: send it again with `columns`.',
  params: layoutParams,
  query: z.strictObject(
    {
      fileName: z
        .string()
        .trim()
        .min(1, paperMessages.noFile)
        .max(200)
        // PostgreSQL refuses NUL.
        .refine((name) => !/\p{Cc}/u.test(name), paperMessages.fileName)
        .describe('Shown beside the paper.'),
      columns: z
        .string()
        .regex(/^(\d\.[A-Za-z]{1,40}\.[A-Z]{0,3},?){0,100}$/, paperMessages.columns)
        .default('')
        .describe(
          "For unknown headings: sheet, value and column, such as 1.lastName.F; '' where it has none.",
        )
        .openapi({ example: '1.lastName.F,1.email.' }),
    },
    knownFilters,
  ),
  body: {
    required: true,
    content: { 'application/octet-stream': { schema: binary }, [workbookType]: { schema: binary } },
  },
  responses: ok(baseAnswerSchema, 'What is used now, or the headings that are unknown.'),
  problems: ['conflict', 'too_many_requests'],
  limits: files(maxBaseBytes, paperMessages.tooBig, 'file'),
})

const removeBase = layouts.delete('/layouts/{code}/base', 'Use the form of the portal again', {
  description: 'Papers that were frozen with the own workbook keep it.',
  params: layoutParams,
  responses: done('Removed.'),
  problems: ['invalid', 'not_found'],
})

/** Lists for agencies: made, checked, frozen, sent. */
export function createPapers(context: AppContext, needs: LayoutNeeds & Pick<CheckNeeds, 'loadTowns'>) {
  const settings = needs.settings.current
  const checks = createChecks(context, { settings, loadTowns: needs.loadTowns })
  const service = createPapersService(context, { settings, countStops: checks.countStops })
  const forms = createLayouts(context, needs)

  const routes = createRouter()
    .answer(listPapers, async ({ query, access }) => ({ items: await service.list(query.year, access) }))
    .answerVersion(addPaper, ({ body, actor }) => service.add(body, actor))
    .answerVersion(readPaper, ({ id, access }) => service.read(id, access))
    .answerVersion(editPaper, ({ id, body, version, actor }) => service.edit(id, version, body, actor))
    .answer(deletePaper, ({ id, version, actor }) => service.delete(id, version, actor))
    .answerVersion(freezePaper, ({ id, body, version, actor }) =>
      service.freeze(id, version, body.basis, actor),
    )
    .answerVersion(unfreezePaper, ({ id, version, actor }) => service.unfreeze(id, version, actor))
    .answerVersion(setState, ({ id, body, version, actor }) => service.setState(id, version, body, actor))
    .answerVersion(copyPaper, ({ id, actor }) => service.copy(id, actor))
    .answer(readRows, ({ id, query, actor, admit }) => service.rows(id, query, { actor, admit }))
    .answer(downloadPaper, async ({ c, id, actor }) => sendWorkbook(c, await service.file(id, actor)))
    .answer(listLayouts, async () => ({ items: await forms.list() }))
    .answer(confirmLayout, ({ params, body, actor }) => forms.confirm(params.code, body.isConfirmed, actor))
    .answer(useBase, async ({ c, params, query, actor }) => {
      const { fileName, columns } = query
      const bytes = Buffer.from(await c.req.arrayBuffer())
      if (bytes.length > maxBaseBytes) throw tooBig('file', paperMessages.tooBig)
      const file = { bytes, fileName, chosen: chosenColumns(columns) }
      return await forms.useBase(params.code, file, actor)
    })
    .answer(removeBase, ({ params, actor }) => forms.removeBase(params.code, actor))
    .route('/', createCheckRoutes(checks))
  const lists = { serials: createSerialsList({ settings, audit: context.audit }) }
  return { routes, lists, withStudent: service.withStudent }
}

function chosenColumns(columns: string): ChosenColumn[] {
  return columns
    .split(',')
    .filter(Boolean)
    .map((one) => {
      const [sheet, value = '', column = ''] = one.split('.')
      return { sheet: Number(sheet), value, column }
    })
}
