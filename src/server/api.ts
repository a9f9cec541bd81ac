import { createCountWorker } from './database/student-counts/worker.ts'
import { createAnnouncements } from './features/announcements/routes.ts'
import { createAuditTrail } from './features/audit/routes.ts'
import { createAuth } from './features/auth/routes.ts'
import { createBackups } from './features/backup/routes.ts'
import { createFiles } from './features/files/routes.ts'
import { findHeader, guessColumns } from './features/imports/guess-columns.ts'
import { createImports } from './features/imports/routes.ts'
import { createMail } from './features/mail/routes.ts'
import { createOrgChart } from './features/org-chart/routes.ts'
import { createReference } from './features/registration/reference.ts'
import { createRegistration } from './features/registration/routes.ts'
import { createSettings } from './features/settings/routes.ts'
import { createSlideshow } from './features/slideshow/routes.ts'
import { createStatistics } from './features/statistics/routes.ts'
import { createStudents } from './features/students/routes.ts'
import { createEventRoutes } from './http/event-routes.ts'
import { createHealthRoutes } from './http/health-routes.ts'
import { describeApi } from './http/openapi.ts'
import { createRouter } from './http/router.ts'
import type { AppContext } from './lib/app-context.ts'
import { productVersion } from './lib/version.ts'

/** Every feature with its services, and the API of their routes. */
export function createFeatures(context: AppContext) {
  const files = createFiles(context)
  const settings = createSettings(context, files)
  const { current } = settings
  const audit = createAuditTrail(context, current)
  const auth = createAuth(context, { settings: current, noteRefusal: audit.refusals.note })
  const students = createStudents(context, current)
  const mail = createMail(context, {
    settings: current,
    files,
    students: students.mailing,
    headings: { findHeader, guessColumns },
  })
  const announcements = createAnnouncements(context, { files, canMail: mail.isConfigured })
  const registration = createRegistration(context, { settings: current, welcomes: mail.welcomes })
  const imports = createImports(context, { offer: current, createReference })
  const counts = createCountWorker(context)
  const { countActive: countAnnouncements } = announcements.service

  const api = createRouter()
    .route('/', createHealthRoutes(context.database.check))
    .route('/', createEventRoutes(context))
    .route('/', auth.routes)
    .route('/', registration.routes)
    .route('/', students.routes)
    .route('/', createStatistics(context, { settings: current, countAnnouncements }))
    .route('/', createBackups(context))
    .route('/', audit.routes)
    .route('/', settings.routes)
    .route('/', imports.routes)
    .route('/', files.routes)
    .route('/', announcements.routes)
    .route('/', createSlideshow(context, files))
    .route('/', createOrgChart(context, files))
    .route('/', mail.routes)
  const { emailService } = mail
  describeApi(api, { version: productVersion, beside: [{ path: '/emailService', routes: emailService }] })

  return {
    api,
    emailService,
    auth,
    settings,
    announcements,
    registrationContext: registration.offer,
    noteRefusal: audit.refusals.note,

    async load() {
      await Promise.all([settings.load(), mail.load(), counts.start(), announcements.publications.start()])
      // By the account, and by the quotas of the settings.
      await mail.start()
    },

    close: () => Promise.all([audit.refusals.close(), counts.close(), mail.close()]),

    sweep: () =>
      Promise.all([
        auth.deleteExpired(),
        audit.expire(),
        imports.expire(),
        imports.resume(),
        counts.sweep(),
        files.sweep(),
        mail.expire(),
      ]),
  }
}

export type Api = ReturnType<typeof createFeatures>['api']
