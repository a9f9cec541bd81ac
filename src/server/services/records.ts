import { createCountWorker } from '#server/database/student-counts/worker.ts'
import { createImportsService } from '#server/features/imports/service.ts'
import type { WelcomeMailService } from '#server/features/mail/student-mail-service.ts'
import { createPostalCodesService, loadPostalCodes } from '#server/features/registration/postal-codes.ts'
import { createReceiptCookies } from '#server/features/registration/receipt-cookie.ts'
import { createReference } from '#server/features/registration/reference.ts'
import { createRegistrationRepository } from '#server/features/registration/repository.ts'
import { createRegistrationService } from '#server/features/registration/service.ts'
import {
  createDashboardRepository,
  createStatisticsRepository,
} from '#server/features/statistics/repository.ts'
import { createDashboardService, createStatisticsService } from '#server/features/statistics/service.ts'
import { createDuplicatesRepository } from '#server/features/students/change-repository.ts'
import {
  createDuplicates,
  createStudentBulkChanges,
  createStudentChanges,
  createStudentPrints,
} from '#server/features/students/change-service.ts'
import { createStudentsRepository, createUnseenRepository } from '#server/features/students/repository.ts'
import {
  createStudentMailing,
  createStudentsService,
  createUnseenStudents,
} from '#server/features/students/service.ts'
import type { RegistrationContext } from '#shared/registration/registration.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { AppContext } from './context.ts'

interface RecordsOptions {
  settings: () => Settings
  registrationContext: () => RegistrationContext
  countAnnouncements: () => Promise<number>
  welcomes: WelcomeMailService
}

export function createRecordServices(
  context: AppContext,
  { settings, registrationContext, countAnnouncements, welcomes }: RecordsOptions,
) {
  const { env, database, notices, log, clock, secretKey, closing, audit } = context
  const { publish } = notices
  const timeZone = env.TZ_PROGRAM
  const changes = { database, clock, publish, audit }
  const periods = { clock, timeZone, semesters: () => settings().semesters }
  const repository = createStudentsRepository(database, timeZone)
  const imports = createImportsService({
    ...changes,
    log,
    closing,
    timeZone,
    offer: settings,
    createReference,
  })
  const registrations = createRegistrationService({
    repository: createRegistrationRepository(database.pool),
    clock,
    publish,
    closed: () => registrationContext().closed,
    welcomes,
  })
  const statistics = createStatisticsService({
    ...periods,
    repository: createStatisticsRepository(database),
    database,
    audit,
  })
  return {
    imports,
    mailing: createStudentMailing(periods),
    counts: createCountWorker({ database, timeZone, notices, log }),
    parts: {
      registration: {
        service: registrations,
        receipts: createReceiptCookies({
          secretKey,
          isHttps: env.PUBLIC_URL?.startsWith('https://') ?? false,
          clock,
        }),
        offer: registrationContext,
      },
      postalCodes: { service: createPostalCodesService({ load: loadPostalCodes }) },
      students: {
        students: createStudentsService({
          ...periods,
          database,
          repository,
          duplicates: createDuplicatesRepository(database.db),
          audit,
        }),
        changes: createStudentChanges({ ...changes, timeZone, offer: settings }),
        bulk: createStudentBulkChanges(changes),
        duplicates: createDuplicates(changes),
        unseen: createUnseenStudents(createUnseenRepository(database.db), clock),
        prints: createStudentPrints({ database, repository, audit }),
      },
      dashboard: {
        dashboard: createDashboardService({
          repository: createDashboardRepository(database, timeZone),
          countAnnouncements,
          clock,
        }),
      },
      statistics: { statistics },
      imports: { imports },
    },
  }
}
