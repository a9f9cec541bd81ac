import { createCountWorker } from './database/student-counts/worker.ts'
import { createAnnouncements } from './features/announcements/routes.ts'
import { createAuditRoutes } from './features/audit/routes.ts'
import { createAuditService, createRefusals, logTrailHead } from './features/audit/service.ts'
import { createApiTokensService } from './features/auth/api-token-service.ts'
import { createAuth } from './features/auth/routes.ts'
import { createBackups } from './features/backup/routes.ts'
import { createFileRoutes } from './features/files/routes.ts'
import { createFilesService, createVisibleFiles } from './features/files/service.ts'
import { createImportRoutes } from './features/imports/routes.ts'
import { createImportsService } from './features/imports/service.ts'
import { findHeader, guessColumns } from './features/imports/upload-file.ts'
import { createAlerts } from './features/mail/alert-service.ts'
import { createMail } from './features/mail/routes.ts'
import { createOrgChartRoutes } from './features/org-chart/routes.ts'
import { createOrgChartService } from './features/org-chart/service.ts'
import { createPrivacyRoutes } from './features/privacy/routes.ts'
import { createReference } from './features/registration/repository.ts'
import { createOffer, createRegistrationRoutes } from './features/registration/routes.ts'
import { createQuotaUse, createRegistrationService } from './features/registration/service.ts'
import { createRetentionService } from './features/settings/retention-service.ts'
import { createSettingsRoutes } from './features/settings/routes.ts'
import { createSettingsService } from './features/settings/service.ts'
import { createSlideRoutes } from './features/slideshow/routes.ts'
import { createSlidesService } from './features/slideshow/service.ts'
import { createStatisticsRoutes } from './features/statistics/routes.ts'
import { createDashboardService, createStatisticsService } from './features/statistics/service.ts'
import { createStudentMailing } from './features/students/mailing-service.ts'
import { createRejectionRoutes } from './features/students/rejection-routes.ts'
import { createRejections } from './features/students/rejections.ts'
import { createStudentRoutes } from './features/students/routes.ts'
import { createEventRoutes } from './http/event-routes.ts'
import { createHealthRoutes } from './http/health-routes.ts'
import { describeApi } from './http/openapi.ts'
import { createRouter } from './http/router.ts'
import type { AppContext } from './lib/app-context.ts'
import { endWithin } from './lib/scheduler.ts'

// ms
const trailHeadMs = 1_000

/** Every feature's services, and the API of their routes. */
export function createFeatures(context: AppContext) {
  const files = createFilesService(context)
  const settings = createSettingsService(context)
  const { current } = settings
  const retention = createRetentionService({ ...context, years: () => current().recordRetentionYears })
  const configured = { ...context, settings: current }
  const audit = createAuditService(configured)
  const statistics = createStatisticsService(configured)
  const imports = createImportsService({ ...context, offer: current, createReference })
  const slides = createSlidesService({ ...context, files })
  const orgChart = createOrgChartService({ ...context, files })
  const mail = createMail(context, {
    settings: current,
    files,
    students: createStudentMailing(configured),
    headings: { findHeader, guessColumns },
  })
  const watched = { ...context, audit: createAlerts(context)(context.audit) }
  const refusals = createRefusals(watched)
  const apiTokens = createApiTokensService(watched)
  const auth = createAuth(watched, { settings: current, apiTokens, noteRefusal: refusals.note })
  const announcements = createAnnouncements(context, { files, mailHindrance: mail.hindrance })
  const { countActive: countAnnouncements } = announcements.service
  const quotaUse = createQuotaUse(context, settings)
  const dashboard = createDashboardService({
    ...configured,
    countAnnouncements,
    quotaUse: () => quotaUse.current().all,
  })
  const offer = createOffer(context, current, () => quotaUse.current().full)
  const registration = createRegistrationService({
    ...context,
    closed: () => offer().closed,
    quotas: () => current().quotas,
    welcomes: mail.welcomes,
  })
  const counts = createCountWorker(context)
  const rejections = createRejections(context)

  const api = createRouter()
    .route('/', createHealthRoutes(context.database.check))
    .route('/', createEventRoutes(context))
    .route('/', auth.routes)
    .route('/', createRegistrationRoutes(context, registration, offer))
    .route('/', createPrivacyRoutes(watched))
    // Before the students, whose {id} would take its names for one.
    .route('/', createRejectionRoutes(rejections))
    .route('/', createStudentRoutes(watched, current))
    .route('/', createStatisticsRoutes(statistics, dashboard))
    .route('/', createBackups(watched))
    .route('/', createAuditRoutes(audit))
    .route('/', createSettingsRoutes(context, { settings, files, retention }))
    .route('/', createImportRoutes(imports))
    .route('/', createFileRoutes({ ...files, isVisible: createVisibleFiles(context) }))
    .route('/', announcements.routes)
    .route('/', createSlideRoutes(slides))
    .route('/', createOrgChartRoutes(orgChart))
    .route('/', mail.routes)
  const { emailService } = mail
  describeApi(api, emailService, { isPublic: context.env.API_DOCS === 'public' })

  return {
    api,
    emailService,
    auth: { ...auth, findToken: apiTokens.find },
    settings,
    announcements,
    registrationContext: offer,
    noteRefusal: refusals.note,

    async load() {
      await Promise.all([
        settings.load(),
        auth.load(),
        mail.load(),
        counts.start(),
        announcements.publications.start(),
      ])
      await quotaUse.load()
      // By the account, and by the quotas of the settings.
      await mail.start()
    },

    async close() {
      await Promise.all([refusals.close(), counts.close(), mail.close()])
      // A silent database must not delay the end.
      await endWithin(trailHeadMs, logTrailHead(context))
    },

    async sweep() {
      await logTrailHead(context)
      await Promise.all([imports.resume(), counts.sweep()])
      if (!(await retention.mayCleanUp())) {
        context.log.warn('the date is far from the last clean-up: nothing is deleted until it is confirmed')
        return
      }
      await Promise.all([
        auth.deleteExpired(),
        audit.expire(),
        imports.expire(),
        rejections.expire(),
        announcements.sweep(),
        files.sweep(),
        mail.expire(),
      ])
    },
  }
}

export type Api = ReturnType<typeof createFeatures>['api']
