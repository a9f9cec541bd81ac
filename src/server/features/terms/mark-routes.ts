import { z } from '@hono/zod-openapi'
import { selectionLimits } from '#server/http/limits.ts'
import { createRouter, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { keyHeader, knownFilters, oneOf } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { schemeChangeSchema } from '#shared/terms/mark-scheme.ts'
import { marksSchema, mostMarksAtOnce, scoresSchema } from '#shared/terms/marks.ts'
import {
  enteredMarksSchema,
  markListSchema,
  savedScoresSchema,
  schemeResponse,
} from '#shared/terms/marks-response.ts'
import { createMarkSchemes } from './mark-scheme-service.ts'
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
    'stays, the others are saved. One that the parts give is stored with them. A closed term, and a number against what the ' +
    'parts give, need a reason.',
  headers: keyHeader('a repeated request changes nothing again.'),
  body: formBody(marksSchema, 'Marks', 'An empty mark takes it back.'),
  responses: ok(enteredMarksSchema, 'What was saved, and what was not.'),
})

const changeScheme = staffRoutes(tag, 'enrolments').put(
  '/terms/{id}/mark-scheme',
  'Change what the marks of a component are made of',
  {
    description:
      'Later terms have it too, until they have their own. It proposes marks, and changes none that was entered. ' +
      'With `seen` it is refused where the scheme is another one by now.',
    body: formBody(schemeChangeSchema, 'MarkScheme', 'Without a scheme, marks are typed.'),
    responses: ok(schemeResponse, 'The scheme.'),
    problems: ['conflict'],
  },
)

const saveScores = staffRoutes(tag, 'marks').put('/terms/{id}/scores', 'Save scores of the parts of marks', {
  description:
    'A score that somebody else changed since it was seen stays, the others are saved. No mark is changed by them: it is ' +
    'entered. A request can be sent again.',
  limits: selectionLimits,
  body: formBody(scoresSchema, 'Scores', 'Null takes a score back: that isn’t 0.'),
  responses: ok(savedScoresSchema, 'What was saved, and what was not.'),
  problems: ['conflict'],
})

export function createMarkRoutes(context: AppContext, { settings }: { settings: () => Settings }) {
  const marks = createMarks({ ...context, settings })
  const schemes = createMarkSchemes({ ...context, settings })
  return createRouter()
    .answer(listMarks, ({ id, query, actor }) => marks.list(id, query, actor))
    .answer(enterMarks, ({ id, body, key, actor }) => marks.enter(id, body, key, actor))
    .answer(changeScheme, ({ id, body, actor }) => schemes.change(id, body, actor))
    .answer(saveScores, ({ id, body, actor }) => schemes.saveScores(id, body, actor))
}
