import * as z from 'zod/mini'
import { hasOddCharacters, isBlank } from './field-rules.ts'
import { departments, orgLimits, orgSentences } from './org-chart.ts'
import { yesOrNo } from './yes-or-no.ts'

/** One line of text: trimmed, without odd characters, not too long. */
function line(what: string, max: number, missing?: string) {
  const notText = `Please send the ${what} as text.`
  return z.string({ error: ({ input }) => ((input ?? null) === null && missing) || notText }).check(
    z.trim(),
    z.check(({ value, issues }) => {
      const message =
        hasOddCharacters(value) || /[\r\n\t]/.test(value)
          ? orgSentences.characters(what)
          : value.length > max
            ? orgSentences.tooLong(what, max)
            : undefined
      if (message) issues.push({ code: 'custom', message, input: value })
    }),
  )
}

const name = line('name', orgLimits.name, orgSentences.nameRequired).check(
  z.refine((text) => !isBlank(text), { error: orgSentences.nameRequired }),
)
const title = line('title', orgLimits.title)
const department = z.enum(['', ...departments], { error: orgSentences.department })
/** A form can't send null: it sends ''. */
const parentId = z.pipe(
  z.nullable(z.string({ error: orgSentences.missingParent })),
  z.transform((id) => (id === '' ? null : id)),
)

/** A new position, in the order of the form. Its photo comes beside it. */
export const newOrgNodeSchema = z.strictObject({
  name,
  title: z._default(title, ''),
  department: z._default(department, ''),
  parentId: z._default(parentId, null),
})
export type NewOrgNode = z.output<typeof newOrgNodeSchema>

/** A change of a position: any of its fields. */
export const orgNodeEditSchema = z.strictObject({
  name: z.optional(name),
  title: z.optional(title),
  department: z.optional(department),
  parentId: z.optional(parentId),
  /** False takes the photo away; a new photo replaces it either way. */
  keepExistingImage: z._default(yesOrNo('Please send true or false.'), true),
})
export type OrgNodeEdit = z.output<typeof orgNodeEditSchema>

/** The whole arrangement: every node with its parent, siblings in their order. */
export const orgOrderSchema = z.strictObject({
  /** Of the arrangement that it starts from. */
  version: z.string({ error: 'Please send the version of the arrangement that you saw.' }),
  items: z
    .array(z.strictObject({ id: z.string(), parentId: z.nullable(z.string()) }))
    .check(z.maxLength(orgLimits.nodes, { error: orgSentences.tooMany })),
})
export type OrgOrder = z.output<typeof orgOrderSchema>
