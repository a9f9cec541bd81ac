import { z } from '@hono/zod-openapi'
import type { FilesService } from '#server/features/files/service.ts'
import { mustBeFresh } from '#server/http/auth.ts'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import { files as allowFiles } from '#server/http/limits.ts'
import { readImage } from '#server/http/read-body.ts'
import { createRouter, done, formBody, jsonBody, ok, publicRoutes, staffRoutes } from '#server/http/router.ts'
import { documented, ifMatchHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { imageLimits, imageMessages } from '#shared/files/images.ts'
import { namedObject } from '#shared/named-object.ts'
import { readableSettings } from '#shared/settings/settings.ts'
import {
  definedOnly,
  readableSettingsSchema,
  settingsChangeSchema,
  settingsSchema,
  siteTextsSchema,
} from '#shared/settings/settings-schema.ts'
import { siteTextsOf } from '#shared/settings/site-texts.ts'
import { siteOf } from '#shared/site/site.ts'
import { createRetentionService } from './retention-service.ts'
import { createSettingsService } from './service.ts'

const admin = staffRoutes('settings', 'settings')
const keeper = staffRoutes('settings', 'retention')

const logoImage = { maxBytes: imageLimits.logo, sidePx: 512 }

const settingsBody = documented(settingsSchema, 'Settings')

const siteBody = namedObject('Site', {
  systemName: z.string(),
  schoolName: z.string(),
  logoUrl: z.string().nullable(),
  enlistment: z
    .string()
    .nullable()
    .describe('Why enlistment is closed, or when it opens or closes; null while it is open without a limit.'),
  recordRetentionYears: z.int().describe('How long a record is stored after archiving.'),
})

const readSite = publicRoutes('settings').get('/site', 'Read the public settings', {
  responses: ok(siteBody, 'Names, logo, and whether registration is open.'),
  cached: cachedFor(['settings']),
})

const readTexts = publicRoutes('settings').get('/site/texts', 'Read the texts of the public pages', {
  responses: ok(documented(siteTextsSchema, 'SiteTexts'), 'Pages hide empty texts and lists.'),
})

const readSettings = staffRoutes('settings', 'signed-in').get('/settings', 'Read the settings', {
  description: 'Those that the screens of the account need: all with the permission to change them.',
  responses: ok(documented(readableSettingsSchema, 'ReadableSettings'), 'With their version, also as ETag.'),
})

const changeSettings = admin.patch('/settings', 'Change some settings', {
  description:
    'Lists are replaced as a whole. Records keep values that were removed from a list. The retention, two-factor sign-in and the public address need a fresh sign-in.',
  headers: ifMatchHeader,
  body: formBody(settingsChangeSchema, 'SettingsChange', 'The settings to change.'),
  responses: ok(settingsBody, 'All settings after the change.'),
  problems: ['proof_needed'],
})

const binary = { type: 'string', format: 'binary' } as const

const changeLogo = admin.put('/settings/logo', 'Set the logo', {
  description: 'A JPEG, PNG, GIF or WEBP image of at most 2 MB, in a form or as the body.',
  body: {
    content: {
      'multipart/form-data': { schema: z.object({ image: z.custom<File>().openapi(binary) }) },
      'image/*': { schema: z.custom<Blob>().openapi(binary) },
    },
  },
  responses: ok(settingsBody, 'All settings after the change.'),
  limits: allowFiles(imageLimits.logo, imageMessages.tooLarge(imageLimits.logo), 'image'),
})

const removeLogo = admin.delete('/settings/logo', 'Remove the logo', {
  responses: ok(settingsBody, 'All settings after the change.'),
})

const readExpired = keeper.get('/retention', 'Count the records past the retention period', {
  responses: ok(
    namedObject('ExpiredRecords', {
      years: z.int().describe('How long records are stored after archiving.'),
      before: z.iso.datetime().describe('Records archived before this instant.'),
      count: z.int(),
      stopped: z
        .object({ cleanedUpAt: z.iso.datetime(), today: z.iso.datetime() })
        .nullable()
        .describe(
          "Null unless the last clean-up is more than 30 days from the server's date: nothing is deleted until the date is confirmed.",
        ),
    }),
    'Only archived records expire.',
  ),
})

const message = 'Please send the number of records that are to be deleted.'

const deleteExpired = keeper.post('/retention/deletions', 'Delete the records past the retention period', {
  needs: 'fresh sign-in',
  description:
    'Permanently, all or none. Send the number from the count, so that no other records are deleted.',
  body: jsonBody(
    z.strictObject({ count: z.number(message).int(message).min(1, message) }),
    'The number from the count.',
  ),
  responses: ok(z.object({ count: z.int() }), 'The number of deleted records.'),
  problems: ['conflict'],
})

const confirmDate = keeper.post('/retention/date', "Confirm the server's date", {
  needs: 'fresh sign-in',
  description: 'Expired data is deleted again from the next clean-up on.',
  responses: done('Confirmed.'),
})

const guarded = ['recordRetentionYears', 'auditRetentionMonths', 'twoFactorRequired', 'publicAddress']

export function createSettings(context: AppContext, { files }: { files: Pick<FilesService, 'storeImage'> }) {
  const settings = createSettingsService(context)
  const retention = createRetentionService({
    ...context,
    years: () => settings.current().recordRetentionYears,
  })

  const routes = createRouter()
    .answer(readSite, ({ c }) =>
      c.json(siteOf(settings.current(), context.clock(), context.timeZone), 200, {
        'Cache-Control': 'no-cache',
      }),
    )
    .answer(readTexts, ({ c }) =>
      c.json(siteTextsOf(settings.current()), 200, { 'Cache-Control': 'no-cache' }),
    )
    .answerVersion(readSettings, async ({ access }) =>
      readableSettings(await settings.read(), (permission) => access.can(permission)),
    )
    .answerVersion(changeSettings, async ({ body, version, actor, admin }) => {
      const change = definedOnly(body)
      if (guarded.some((name) => name in change)) mustBeFresh(admin)
      return await settings.change(change, version, actor)
    })
    .answer(changeLogo, async ({ c, actor }) => {
      const { url } = await files.storeImage(await readImage(c), logoImage)
      return await settings.changeLogo({ url }, actor)
    })
    .answer(removeLogo, ({ actor }) => settings.changeLogo(null, actor))
    .answer(readExpired, retention.expired)
    .answer(confirmDate, ({ actor }) => retention.confirmDate(actor))
    .answer(deleteExpired, async ({ body, actor }) => ({
      count: await retention.deleteExpired(body.count, actor),
    }))
  return { routes, service: settings, mayCleanUp: retention.mayCleanUp }
}
