import type { Readable } from 'node:stream'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { CodeMailService } from '#server/features/mail/code-service.ts'
import type { AppEnv } from '#server/http/context.ts'
import { createCookie } from '#server/http/cookie.ts'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { rateLimit } from '#server/http/limits.ts'
import {
  created,
  createRouter,
  done,
  formBody,
  jsonBody,
  ok,
  publicRoutes,
  staffRoutes,
  studentRoutes,
} from '#server/http/router.ts'
import { type Actor, ownActor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import { codeSchema, entrySchema, lostCodeSchema, mySentences, slipSchema } from '#shared/my/my.ts'
import { codeMailSchema, myStepSchema, slipsSchema, studentStateSchema } from '#shared/my/my-response.ts'
import { myPageSchema, myRecordSchema } from '#shared/my/own-page-response.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { languageOf } from '#shared/site/language.ts'
import { idList, idMessage } from '#shared/students/student-response.ts'
import { maxSheetStudents } from '#shared/students/students.ts'
import { createCodes } from './code-service.ts'
import { createEntries } from './entry-service.ts'
import { createKnownBrowsers, knownBrowserCookie } from './known-browser.ts'
import { createLostCodes } from './lost-code-service.ts'
import { createOwnPage } from './own-page-service.ts'
import { createStudentSessions, studentCookie } from './session-service.ts'
import { createSlips } from './slip-service.ts'

const tag = 'own page'
const visitor = publicRoutes(tag)
const known = studentRoutes(tag, 'first step')
const noStore = { 'Cache-Control': 'no-store' }

const readSession = visitor.get('/my/session', 'Tell which step of /my this browser has made', {
  responses: ok(myStepSchema, 'The step.'),
})

const enter = visitor.post('/my/session', 'Enter a reference code and a birth date', {
  description:
    'The first step. What is unknown, wrong, rejected or erased is answered alike. Only misses count: of a network, and of the ' +
    'code, which then opens with a slip alone.',
  body: formBody(entrySchema, 'StudentEntry', 'As people type them.'),
  responses: created(myStepSchema, 'The session has begun.'),
  problems: ['too_many_requests'],
})

const enterBySlip = visitor.post('/my/session/slip', 'Enter the code of a slip', {
  description: 'The second step. The reference code is needed where the first one was not made.',
  body: formBody(slipSchema, 'SlipEntry', 'As people type them.'),
  responses: created(myStepSchema, 'The session has begun.'),
  problems: ['too_many_requests', 'unauthenticated'],
})

const leave = visitor.delete('/my/session', 'Leave /my', { responses: done('The session has ended.') })

const readState = known.get('/my/state', 'Read what the first step shows', {
  responses: ok(studentStateSchema, 'Words alone.'),
})

const sendCode = known.post('/my/code', 'Mail a code of the second step', {
  description: 'To the address on record. Another request within ten minutes sends no second one.',
  responses: ok(codeMailSchema, 'Whether one is on its way, or why not.'),
  problems: ['too_many_requests'],
})

const enterCode = known.post('/my/session/code', 'Enter the mailed code', {
  description: 'Valid ten minutes from sending, once; after five tries no more.',
  body: formBody(codeSchema, 'CodeEntry', 'The six digits.'),
  responses: created(myStepSchema, 'The second step is made.'),
})

const askForCode = visitor.post('/my/lost-code', 'Have lost reference codes mailed', {
  description:
    'To the address on record, where name, birth date and address are those of a record. Answered alike, and after the same time, ' +
    'whether there is one or not.',
  body: formBody(lostCodeSchema, 'LostCode', 'As on the enlistment form.'),
  responses: { 202: { description: 'Mailed if there is such a record.' } },
  problems: ['too_many_requests'],
})

/** Codes that were mailed for each network, so that a few students can't use up the share of all. */
export const codeMailLimit = { points: 12, duration: 3600 }

/** The limit of each network, such as a campus: a mailbox has its own. */
export const lostCodeLimit = { points: 60, duration: 600 }

const student = studentRoutes(tag)

const readPage = student.get('/my', 'Read the own page', {
  description:
    'Section, attendance, result, serial number and certificates of the student whose session it is.',
  responses: ok(myPageSchema, 'A part without anything to say is null.'),
})

const readRecord = student.get('/my/record', 'Read what the office holds of oneself', {
  responses: ok(myRecordSchema, 'The record, its consent, and who opened it, by role and day.'),
})

// `duration` in seconds. A file reads twenty tables, and nobody needs many.
const fileLimit = { points: 10, duration: 60 * 60 }

const readFile = student.get('/my/file.xlsx', 'Download what the office holds of oneself', {
  description: 'As the file of the privacy screen, without other people: RA 10173, sections 16 and 18.',
  responses: workbookResponse,
  problems: ['too_many_requests'],
})

// A slip opens the whole record, so only who may take whole records out makes one.
const makeSlips = staffRoutes(tag, 'students.take-out').post('/students/slips', 'Make slips for /my', {
  description:
    'Each opens the record of one student at /my, and ends the slip and the sessions before it. Handed out against the school ' +
    'ID. They count as whole records that were read: more than 300 an hour need a fresh sign-in.',
  body: jsonBody(
    z.strictObject({ ids: idList(maxSheetStudents).min(1, 'No students selected for slips') }, idMessage),
    'The students.',
  ),
  responses: ok(slipsSchema, 'The codes, which nobody can read again.'),
  problems: ['conflict', 'proof_needed'],
})

interface MyNeeds {
  mail: CodeMailService
  settings: () => Pick<Settings, 'levelNames' | 'studentsSeeMarks'>
  /** The feature privacy makes this file of all that is held on one person. */
  fileOf: (id: string, actor: Actor, reader: 'student') => Promise<{ fileName: string; workbook: Readable }>
}

/** The page of a student: getting in, and what is on it. */
export function createMy(context: AppContext, { mail, settings, fileOf }: MyNeeds) {
  const sessions = createStudentSessions(context, createCookie(context, studentCookie))
  const entries = createEntries(context)
  const browsers = createKnownBrowsers(context, createCookie(context, knownBrowserCookie))
  const codes = createCodes({ ...context, mail })
  const lostCode = createLostCodes({ ...context, mail })
  const lostCodes = rateLimit(lostCodeLimit)
  const codeMails = rateLimit(codeMailLimit)
  const slipsOf = createSlips(context)
  const own = createOwnPage(context, { settings })
  const downloads = rateLimit(fileLimit, (c) => c.get('student').studentId)

  const senderOf = (c: Context<AppEnv>) => ({
    network: networkOf(c.var.clientAddress),
    isOfSchool: c.var.isOfSchool,
  })

  const routes = createRouter()
    .answer(readSession, async ({ c }) => {
      const student = await c.var.readStudent()
      const step =
        student === null ? ('none' as const) : student.isOpened ? ('second' as const) : ('first' as const)
      return c.json({ step }, 200, noStore)
    })
    .answer(enter, async ({ c, body: typed }) => {
      const entry = await entries.byBirthDate(typed, browsers.idOf(c, typed.reference), senderOf(c))
      await sessions.start(c, entry, false)
      browsers.remember(c, typed.reference)
      return c.json({ step: 'first' as const }, 201, noStore)
    })
    .answer(enterBySlip, async ({ c, body }) => {
      const { code, reference: typed } = body
      const first = typed === undefined ? await c.var.readStudent() : null
      const reference = first ? await entries.referenceOf(first.studentId) : typed
      if (reference === undefined) throw new AppError('unauthenticated', mySentences.ended)
      await sessions.start(c, await entries.bySlip({ reference, code }, senderOf(c)), true)
      browsers.remember(c, reference)
      return c.json({ step: 'second' as const }, 201, noStore)
    })
    .answer(leave, ({ c }) => sessions.end(c))
    .answer(readState, ({ c }) => codes.state(c.var.student))
    .answer(sendCode, async ({ c }) => {
      const language = languageOf(c.req.header('Cookie'), c.req.header('Accept-Language'))
      await codeMails.take(c)
      let isQueued = false
      try {
        const sent = await codes.send(c.var.student, language)
        isQueued = sent.isQueued
        return c.json(sent.answer, 200)
      } finally {
        if (!isQueued) await codeMails.refund(c)
      }
    })
    .answer(enterCode, async ({ c, body }) => {
      const entry = await codes.byDigits(c.var.student, body.code)
      await sessions.start(c, entry, true)
      return { step: 'second' as const }
    })
    .answer(askForCode, async ({ c, body }) => {
      await lostCodes.take(c)
      const language = languageOf(c.req.header('Cookie'), c.req.header('Accept-Language'))
      await lostCode(body, language)
      return c.body(null, 202, noStore)
    })
    .answer(makeSlips, async ({ c, body, actor, admit }) => {
      await admit(body.ids)
      return c.json({ items: await slipsOf(body.ids, actor) }, 200, noStore)
    })
    .answer(readPage, ({ c }) => own.page(c.var.student.studentId))
    .answer(readRecord, ({ c }) => own.record(c.var.student.studentId))
    .answer(readFile, async ({ c }) => {
      await downloads.take(c)
      return sendWorkbook(c, await fileOf(c.var.student.studentId, ownActor('student'), 'student'))
    })

  return {
    routes,
    sessions,
    deleteExpired: () => Promise.all([sessions.deleteExpired(), entries.deleteForgotten()]),
  }
}
