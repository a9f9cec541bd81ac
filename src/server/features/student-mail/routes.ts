import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { mailKinds, mailStates } from '#shared/mail.ts'
import { studentMailChangeSchema } from '#shared/student-mail.ts'
import type { StudentMailService } from './service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['students'] }
const params = z.object({ id: z.uuid('This is no id of a student.') })

const studentMail = z
  .object({
    optedOut: z.boolean().openapi({ description: "Whether the student's address gets no announcements." }),
    messages: z.array(
      z.object({
        id: z.uuid(),
        kind: z.enum(mailKinds),
        subject: z.string(),
        recipient: z.string(),
        state: z.enum(mailStates),
        createdAt: z.iso.datetime(),
        endedAt: z.iso.datetime().nullable(),
        failure: z.string(),
      }),
    ),
  })
  .openapi('StudentMail')

const readMail = createRoute({
  ...admin,
  method: 'get',
  path: '/students/{id}/mail',
  summary: "A student's mail",
  request: { params },
  responses: {
    200: json(studentMail, 'The newest fifty messages.'),
    ...problems('unauthenticated', 'invalid', 'not_found'),
  },
})

const changeMail = createRoute({
  ...admin,
  method: 'put',
  path: '/students/{id}/mail',
  summary: 'Whether a student gets announcements by e-mail',
  request: {
    params,
    body: { required: true, ...json(documented(studentMailChangeSchema, 'StudentMailChange'), 'The wish.') },
  },
  responses: {
    200: json(studentMail, 'As it stands now.'),
    ...problems('unauthenticated', 'invalid', 'not_found'),
  },
})

const resendWelcome = createRoute({
  ...admin,
  method: 'post',
  path: '/students/{id}/welcome-mail',
  summary: 'Send the welcome e-mail once more',
  description: 'At most three a day to one address. The answer waits three seconds for the mail server.',
  request: { params },
  responses: {
    200: json(
      z.object({ state: z.enum(mailStates), failure: z.string() }),
      'Written into the outbox; the state tells how far it is.',
    ),
    ...problems('unauthenticated', 'invalid', 'not_found', 'too_many_requests', 'unavailable'),
  },
})

/** The mail of one student. */
export function createStudentMailRoutes({ studentMail: service }: { studentMail: StudentMailService }) {
  return createRouter()
    .openapi(readMail, async (c) => c.json(await service.read(c.req.valid('param').id), 200))
    .openapi(changeMail, async (c) => {
      const { announcements } = c.req.valid('json')
      const changed = await service.changeAnnouncements(
        c.req.valid('param').id,
        announcements,
        await actorOf(c),
      )
      return c.json(changed, 200)
    })
    .openapi(resendWelcome, async (c) => {
      const { state, failure } = await service.resendWelcome(c.req.valid('param').id, await actorOf(c))
      return c.json({ state, failure }, 200)
    })
}
