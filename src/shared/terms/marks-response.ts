import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { outcomes } from './terms.ts'
import { studentOfClass } from './terms-response.ts'

const mark = {
  id: z.uuid().describe('Of the enrollment.'),
  version: z.int(),
  mark: z.string().describe("'' for none, which isn't 0."),
  outcome: z.enum(outcomes),
}

const markSchema = z.object(mark)

export const markListSchema = namedObject('MarkList', {
  items: z
    .array(
      z.object({
        ...mark,
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

export type MarkList = z.infer<typeof markListSchema>
export type MarkItem = MarkList['items'][number]
export type EnteredMarks = z.infer<typeof enteredMarksSchema>
