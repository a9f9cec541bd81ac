import { createAnnouncementRoutes } from './features/announcements/routes.ts'
import { createAuditRoutes } from './features/audit/routes.ts'
import { createDevicesRoutes, createPasswordRoutes } from './features/auth/devices-routes.ts'
import { createSessionRoutes } from './features/auth/routes.ts'
import { createApiTokenRoutes, createSecondFactorRoutes } from './features/auth/second-factor-routes.ts'
import { createBackupRoutes } from './features/backup/routes.ts'
import { createFileRoutes } from './features/files/routes.ts'
import { createImportRoutes } from './features/imports/routes.ts'
import {
  createMailAccountRoutes,
  createServerStatusRoutes,
  createServerTestRoutes,
} from './features/mail/account-routes.ts'
import { createAnnouncementMailRoutes, createBulkMailRoutes } from './features/mail/bulk-routes.ts'
import {
  createMailMessageRoutes,
  createMailQueueRoutes,
  createStudentMailRoutes,
} from './features/mail/messages-routes.ts'
import { createReturnedMailRoutes } from './features/mail/returned-routes.ts'
import {
  createMailPreviewRoutes,
  createOptOutRoutes,
  createSingleEmailRoutes,
} from './features/mail/single-routes.ts'
import { createOrgChartRoutes } from './features/org-chart/routes.ts'
import { createPostalCodesRoutes } from './features/registration/postal-codes-routes.ts'
import { createRegistrationRoutes } from './features/registration/routes.ts'
import { createRetentionRoutes } from './features/settings/retention-routes.ts'
import { createSettingsRoutes } from './features/settings/routes.ts'
import { createSlideRoutes } from './features/slideshow/routes.ts'
import { createDashboardRoutes } from './features/statistics/dashboard-routes.ts'
import { createStatisticsRoutes } from './features/statistics/routes.ts'
import { createStudentRoutes } from './features/students/routes.ts'
import { createEventRoutes } from './http/event-routes.ts'
import { createHealthRoutes } from './http/health-routes.ts'
import { createRouter } from './http/router.ts'

interface ApiParts {
  health: Parameters<typeof createHealthRoutes>[0]
  events: Parameters<typeof createEventRoutes>[0]
  session: Parameters<typeof createSessionRoutes>[0]
  password: Parameters<typeof createPasswordRoutes>[0]
  devices: Parameters<typeof createDevicesRoutes>[0]
  secondFactor: Parameters<typeof createSecondFactorRoutes>[0]
  tokens: Parameters<typeof createApiTokenRoutes>[0]
  registration: Parameters<typeof createRegistrationRoutes>[0]
  postalCodes: Parameters<typeof createPostalCodesRoutes>[0]
  students: Parameters<typeof createStudentRoutes>[0]
  dashboard: Parameters<typeof createDashboardRoutes>[0]
  statistics: Parameters<typeof createStatisticsRoutes>[0]
  backup: Parameters<typeof createBackupRoutes>[0]
  audit: Parameters<typeof createAuditRoutes>[0]
  imports: Parameters<typeof createImportRoutes>[0]
  settings: Parameters<typeof createSettingsRoutes>[0]
  files: Parameters<typeof createFileRoutes>[0]
  retention: Parameters<typeof createRetentionRoutes>[0]
  announcements: Parameters<typeof createAnnouncementRoutes>[0]
  slides: Parameters<typeof createSlideRoutes>[0]
  announcementMail: Parameters<typeof createAnnouncementMailRoutes>[0]
  returnedMail: Parameters<typeof createReturnedMailRoutes>[0]
  orgChart: Parameters<typeof createOrgChartRoutes>[0]
  singleEmail: Parameters<typeof createSingleEmailRoutes>[0]
  bulkMail: Parameters<typeof createBulkMailRoutes>[0]
  mailMessages: Parameters<typeof createMailMessageRoutes>[0]
  optOuts: Parameters<typeof createOptOutRoutes>[0]
  mailPreview: Parameters<typeof createMailPreviewRoutes>[0]
  mailQueue: Parameters<typeof createMailQueueRoutes>[0]
  studentMail: Parameters<typeof createStudentMailRoutes>[0]
  mailAccount: Parameters<typeof createMailAccountRoutes>[0]
  serverStatus: Parameters<typeof createServerStatusRoutes>[0]
  serverTest: Parameters<typeof createServerTestRoutes>[0]
}

export function createApi(parts: ApiParts) {
  return createRouter()
    .route('/', createHealthRoutes(parts.health))
    .route('/', createEventRoutes(parts.events))
    .route('/', createSessionRoutes(parts.session))
    .route('/', createPasswordRoutes(parts.password))
    .route('/', createDevicesRoutes(parts.devices))
    .route('/', createSecondFactorRoutes(parts.secondFactor))
    .route('/', createApiTokenRoutes(parts.tokens))
    .route('/', createRegistrationRoutes(parts.registration))
    .route('/', createPostalCodesRoutes(parts.postalCodes))
    .route('/', createStudentRoutes(parts.students))
    .route('/', createDashboardRoutes(parts.dashboard))
    .route('/', createStatisticsRoutes(parts.statistics))
    .route('/', createBackupRoutes(parts.backup))
    .route('/', createAuditRoutes(parts.audit))
    .route('/', createSettingsRoutes(parts.settings))
    .route('/', createImportRoutes(parts.imports))
    .route('/', createFileRoutes(parts.files))
    .route('/', createRetentionRoutes(parts.retention))
    .route('/', createAnnouncementRoutes(parts.announcements))
    .route('/', createSlideRoutes(parts.slides))
    .route('/', createAnnouncementMailRoutes(parts.announcementMail))
    .route('/', createReturnedMailRoutes(parts.returnedMail))
    .route('/', createOrgChartRoutes(parts.orgChart))
    .route('/', createSingleEmailRoutes(parts.singleEmail))
    .route('/', createBulkMailRoutes(parts.bulkMail))
    .route('/', createMailMessageRoutes(parts.mailMessages))
    .route('/', createOptOutRoutes(parts.optOuts))
    .route('/', createMailPreviewRoutes(parts.mailPreview))
    .route('/', createMailQueueRoutes(parts.mailQueue))
    .route('/', createStudentMailRoutes(parts.studentMail))
    .route('/', createMailAccountRoutes(parts.mailAccount))
    .route('/', createServerStatusRoutes(parts.serverStatus))
    .route('/', createServerTestRoutes(parts.serverTest))
}

export type Api = ReturnType<typeof createApi>
