import { z } from '@hono/zod-openapi'
import { createRouter, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { keyHeader, knownFilters, oneOf } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { marksSchema, mostMarksAtOnce } from '#shared/terms/marks.ts'
import { enteredMarksSchema, markListSchema } from '#shared/terms/marks-response.ts'
import { createMarks } from './mark-service.ts'

const tag = 'terms'

export const levelQuery = oneOf('level', ['1', '2']).transform((level) => (level === '1' ? 1 : 2))

const listMarks = staffRoutes(tag, 'marks.read').get('/terms/{id}/marks', 'List the marks of a section', {
  description: `In the order of class lists; ${mostMarksAtOnce} students at most.`,
  query: z.strictObject(
    {
      component: oneOf('component', nstpComponents),
      level: levelQuery,
      section: z
        .uuid('Please choose one section.')
        .optional()
        .describe('Without it, the students without a section.'),
    },
    knownFilters,
  ),
  responses: ok(markListSchema, 'Enrolled students, also those without a mark.'),
  problems: ['too_big'],
})

const enterMarks = staffRoutes(tag, 'marks').put('/terms/{id}/marks', 'Enter marks', {
  description:
    'The outcome follows from the mark by the scale in the settings. A mark that somebody else changed since it was read ' +
    'stays, the others are saved. A closed term needs a reason.',
  headers: keyHeader('a repeated request changes nothing again.'),
  body: formBody(marksSchema, 'Marks', 'An empty mark takes it back.'),
  responses: ok(enteredMarksSchema, 'What was saved, and what was not.'),
})

export function createMarkRoutes(context: AppContext, { settings }: { settings: () => Settings }) {
  const marks = createMarks({ ...context, settings })
  return createRouter()
    .answer(listMarks, ({ id, query, actor }) => marks.list(id, query, actor))
    .answer(enterMarks, ({ id, body, key, actor }) => marks.enter(id, body, key, actor))
}
