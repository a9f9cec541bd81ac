import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { attendanceMeasures, cogColumnNames, excusedWays, lowestPerCents } from './mark-scheme.ts'
import { outcomes } from './terms.ts'
import { studentOfClass } from './terms-response.ts'

const mark = {
  id: z.uuid().describe('Of the enrollment.'),
  version: z.int(),
  mark: z.string().describe("'' for none, which isn't 0."),
  outcome: z.enum(outcomes),
}

const markSchema = z.object(mark)

const part = {
  key: z.string(),
  name: z.string(),
  weight: z.number().int(),
  top: z.number(),
  lowest: z.literal(lowestPerCents),
  column: z.enum(cogColumnNames).nullable(),
}

const storedScheme = namedObject('StoredMarkScheme', {
  parts: z.array(
    z.object({
      ...part,
      attendance: z
        .object({ measure: z.enum(attendanceMeasures), excused: z.enum(excusedWays) })
        .nullable()
        .describe('Null where the score is typed.'),
    }),
  ),
  minimums: z.array(z.object({ parts: z.array(z.string()), points: z.number() })),
  scale: z.object({
    passing: z.number(),
    decimals: z.literal([0, 1, 2]),
    bounds: z.array(z.object({ from: z.number(), mark: z.string() })),
  }),
})

const scheme = z.union([storedScheme, z.null()])

const attended = z.object({ attended: z.number(), of: z.number() }).nullable()

const enteredPart = z.object({
  ...part,
  score: z.number(),
  attendance: attended.describe('Null where the score was typed.'),
})

export const schemeResponse = namedObject('MarkSchemeOf', { component: z.enum(nstpComponents), scheme })

export const markListSchema = namedObject('MarkList', {
  scheme: scheme.describe('What a mark is made of; null where marks are typed.'),
  items: z
    .array(
      z.object({
        ...mark,
        percent: z.string().nullable().describe('Null where the mark was typed.'),
        parts: z.array(enteredPart).nullable().describe('As they were when the mark was entered.'),
        scores: z.record(z.string(), z.number()).describe('By the key of the part.'),
        attended: attended.describe('By the attendance part; null without a day that counts.'),
        student: studentOfClass.omit({ course: true, sex: true, contactNumber: true }),
      }),
    )
    .describe('In the order of names.'),
  leftOut: z.int().describe('Blocked records, which are on no list.'),
})

export const enteredMarksSchema = namedObject('EnteredMarks', {
  batchId: z.uuid().describe('For the undo.'),
  items: z.array(markSchema).describe('As they are now.'),
  conflicts: z
    .array(markSchema)
    .describe('As they are now: somebody else changed them meanwhile, so they were not saved.'),
})

const storedScore = z.object({ id: z.uuid(), part: z.string(), score: z.number().nullable() })

export const savedScoresSchema = namedObject('SavedScores', {
  items: z.array(storedScore).describe('As they are now.'),
  conflicts: z.array(storedScore).describe('As they are now: somebody else changed them meanwhile.'),
})

export type SavedScores = z.infer<typeof savedScoresSchema>
export type MarkList = z.infer<typeof markListSchema>
export type MarkItem = MarkList['items'][number]
export type EnteredMarks = z.infer<typeof enteredMarksSchema>
