import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createAnnouncementEditSchema, createAnnouncementSchema } from '../announcements/announcement-form.ts'
import { codeProofSchema, codeSchema, passwordChangeSchema, passwordProofSchema } from '../auth/account.ts'
import { newApiTokenSchema } from '../auth/api-tokens.ts'
import { signInSchema } from '../auth/session.ts'
import { backupRequestSchema, nightlyBackupSchema } from '../backup/backup.ts'
import { fieldMessages } from '../field-rules.ts'
import { mailAccountSchema } from '../mail/mail-account.ts'
import { batchBody, batchSchema, batchTestSchema, listBatchSchema } from '../mail/mail-batch.ts'
import { mailPreviewSchema } from '../mail/mail-preview.ts'
import { singleEmailSchema, welcomeRequestSchema } from '../mail/single-email.ts'
import { newOrgNodeSchema, orgNodeEditSchema } from '../org-chart/org-chart-schema.ts'
import { breachSchema, requestSchema } from '../privacy/privacy.ts'
import { createRegistrationSchema } from '../registration/registration.ts'
import { settingsChangeSchema } from '../settings/settings-schema.ts'
import { newSlideSchema, slideChangeSchema } from '../slideshow/slides-schema.ts'
import { confirmedPlacementSchema } from '../terms/placing.ts'
import { newSectionsSchema, newTermSchema, sectionEditSchema, termEditSchema } from '../terms/terms.ts'

type Schema = z.core.$ZodType
type Path = readonly string[]

const forms: Record<string, Schema> = {
  registration: createRegistrationSchema(() => ({ today: '2026-11-20', courses: [], academicYears: [] })),
  announcement: createAnnouncementSchema('Asia/Manila'),
  announcementEdit: createAnnouncementEditSchema('Asia/Manila'),
  slide: newSlideSchema,
  slideEdit: slideChangeSchema,
  orgNode: newOrgNodeSchema,
  orgNodeEdit: orgNodeEditSchema,
  settings: settingsChangeSchema,
  mailAccount: mailAccountSchema,
  // What its fields say once all are there.
  singleEmail: singleEmailSchema._zod.def.out,
  welcome: welcomeRequestSchema,
  batch: batchSchema,
  batchBody,
  listBatch: listBatchSchema,
  batchTest: batchTestSchema,
  mailPreview: mailPreviewSchema,
  signIn: signInSchema,
  password: passwordChangeSchema,
  proof: passwordProofSchema,
  code: codeSchema,
  codeProof: codeProofSchema,
  apiToken: newApiTokenSchema,
  backup: backupRequestSchema,
  nightlyBackup: nightlyBackupSchema,
  privacyRequest: requestSchema,
  breach: breachSchema,
  term: newTermSchema,
  termEdit: termEditSchema,
  sections: newSectionsSchema,
  section: sectionEditSchema,
  placement: confirmedPlacementSchema,
}

/** The paths of a form's texts; '0' stands for an item of a list. */
function textsOf(schema: Schema, path: Path = []): Path[] {
  const { core } = z
  if (schema instanceof core.$ZodString) return [path]
  if (schema instanceof core.$ZodObject) {
    return Object.entries<Schema>(schema._zod.def.shape).flatMap(([name, of]) => textsOf(of, [...path, name]))
  }
  if (schema instanceof core.$ZodArray) return textsOf(schema._zod.def.element, [...path, '0'])
  if (schema instanceof core.$ZodRecord) return textsOf(schema._zod.def.valueType, [...path, 'key'])
  if (schema instanceof core.$ZodUnion)
    return schema._zod.def.options.flatMap((option) => textsOf(option, path))
  if (schema instanceof core.$ZodPipe) {
    const { in: first, out } = schema._zod.def
    return textsOf(first instanceof core.$ZodTransform ? out : first, path)
  }
  if (
    schema instanceof core.$ZodReadonly ||
    schema instanceof core.$ZodOptional ||
    schema instanceof core.$ZodNullable ||
    schema instanceof core.$ZodDefault ||
    schema instanceof core.$ZodPrefault
  ) {
    return textsOf(schema._zod.def.innerType, path)
  }
  return []
}

function valueAt(path: Path, text: string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return text
  return name === '0' ? [valueAt(rest, text)] : { [name]: valueAt(rest, text) }
}

function problemsOf(schema: Schema, path: Path, text: string): string[] {
  const issues = z.safeParse(schema, valueAt(path, text)).error?.issues ?? []
  return issues.filter((issue) => issue.path.join('.') === path.join('.')).map(({ message }) => message)
}

const texts = Object.entries(forms).flatMap(([form, schema]) =>
  textsOf(schema).map((path) => [`${form} ${path.join('.')}`, schema, path] as const),
)

// Names of something that must exist, checked where that is known; a batch's own text is `batchBody`.
const elsewhere = ['parentId', 'currentAcademicYear', 'template', 'body']
const addressOf = (length: number) => `${'x'.repeat(length - 6)}@x.edu`
const endless = 1_000_000

test.each(texts)('%s takes exactly as many characters as it says', (_name, schema, path) => {
  if (elsewhere.includes(path.at(-1) ?? '')) return
  const [refusal = ''] = problemsOf(schema, path, 'x'.repeat(endless))
  expect(refusal).not.toBe('')
  if (refusal === fieldMessages.email) {
    const taken = [253, 254, 255].map((length) => problemsOf(schema, path, addressOf(length)).length === 0)
    expect(taken).toEqual([true, true, false])
    return
  }
  for (const character of ['x', '1']) {
    for (const sentence of problemsOf(schema, path, character.repeat(endless))) {
      // A date or a choice names no limit.
      const [, words = ''] = /\b(\d[\d,]*) characters/.exec(sentence) ?? []
      const limit = Number(words.replaceAll(',', ''))
      const tooLong = (length: number) =>
        problemsOf(schema, path, character.repeat(length)).includes(sentence)
      if (words) expect([limit - 1, limit, limit + 1].map(tooLong)).toEqual([false, false, true])
    }
  }
})

test('most texts name their limit', () => {
  const named = texts.filter(([, schema, path]) =>
    problemsOf(schema, path, '1'.repeat(endless)).some((sentence) => /\d characters/.test(sentence)),
  )
  expect(named.length).toBeGreaterThan(texts.length * 0.6)
})
