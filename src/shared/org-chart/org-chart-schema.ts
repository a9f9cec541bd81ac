import * as z from 'zod/mini'
import { formText, yesOrNo } from '#shared/form-text.ts'
import { departments, orgLimits, orgSentences } from './org-chart.ts'

const name = formText('name', { max: orgLimits.name, required: orgSentences.nameRequired })
const title = formText('title', { max: orgLimits.title })
const department = z.enum(['', ...departments], { error: orgSentences.department })
const parentId = z.pipe(
  z.nullable(z.string({ error: orgSentences.missingParent })),
  z.transform((id) => (id === '' ? null : id)),
)

export const newOrgNodeSchema = z.strictObject({
  name,
  title: z._default(title, ''),
  department: z._default(department, ''),
  parentId: z._default(parentId, null),
})
export type NewOrgNode = z.output<typeof newOrgNodeSchema>

export const orgNodeEditSchema = z.strictObject({
  name: z.optional(name),
  title: z.optional(title),
  department: z.optional(department),
  parentId: z.optional(parentId),
  keepExistingImage: z._default(yesOrNo('Please send true or false.'), true),
})
export type OrgNodeEdit = z.output<typeof orgNodeEditSchema>

export const orgOrderSchema = z.strictObject({
  version: z.string({ error: 'Please send the version of the arrangement that you saw.' }),
  items: z
    .array(z.strictObject({ id: z.string(), parentId: z.nullable(z.string()) }))
    .check(z.maxLength(orgLimits.nodes, { error: orgSentences.tooMany })),
})
export type OrgOrder = z.output<typeof orgOrderSchema>
