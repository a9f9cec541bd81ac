import { createCountWorker } from './database/student-counts/worker.ts'
import { createAnnouncements } from './features/announcements/routes.ts'
import { createRollRoutes } from './features/attendance/roll-routes.ts'
import { createAttendanceRoutes } from './features/attendance/routes.ts'
import { createStandings } from './features/attendance/standing-service.ts'
import { createAuditTrail } from './features/audit/routes.ts'
import { createAuth } from './features/auth/routes.ts'
import { createBackups } from './features/backup/routes.ts'
import { createCertificateRoutes } from './features/certificates/routes.ts'
import { createFiles } from './features/files/routes.ts'
import { guessColumns } from './features/imports/column-guess.ts'
import { readTable, usualReading } from './features/imports/read-table.ts'
import { createImports } from './features/imports/routes.ts'
import { createAlerts } from './features/mail/alert-service.ts'
import { createMail } from './features/mail/routes.ts'
import { createMy } from './features/my/routes.ts'
import { createOrgChart } from './features/org-chart/routes.ts'
import { createPapers } from './features/papers/routes.ts'
import { createSerialRoutes } from './features/papers/serial-routes.ts'
import { createPeople } from './features/people/routes.ts'
import { createPrivacy } from './features/privacy/routes.ts'
import { loadPostalCodes } from './features/registration/postal-codes.ts'
import { createReference } from './features/registration/repository.ts'
import { createRegistration } from './features/registration/routes.ts'
import { createRequests } from './features/requests/routes.ts'
import { createSettings } from './features/settings/routes.ts'
import { createSlideshow } from './features/slideshow/routes.ts'
import { createStatistics } from './features/statistics/routes.ts'
import { createStudents } from './features/students/routes.ts'
import { createTerms } from './features/terms/routes.ts'
import { createEventRoutes } from './http/event-routes.ts'
import { createHealthRoutes } from './http/health-routes.ts'
import { describeApi } from './http/openapi.ts'
import { createRouter } from './http/router.ts'
import { createScriptErrorRoutes } from './http/script-error-routes.ts'
import type { AppContext } from './lib/app-context.ts'
import { endWithin } from './lib/scheduler.ts'

// ms
const trailHeadMs = 1_000

/** Every feature, and the API of their routes. What one feature needs of another is handed in here. */
export function createFeatures(options: AppContext) {
  const context = { ...options, audit: createAlerts(options)(options.audit) }
  const { service: files, routes: fileRoutes } = createFiles(context)
  const settings = createSettings(context, { files })
  const { current } = settings.service
  const audit = createAuditTrail(context, { settings: current })
  const students = createStudents(context, { settings: current })
  const standings = createStandings(context)
  const terms = createTerms(context, { settings: current, listStanding: standings.list })
  const certificates = createCertificateRoutes(context, { settings: current })
  const papers = createPapers(context, { settings: settings.service, loadTowns: loadPostalCodes })
  const slideshow = createSlideshow(context, { files })
  const orgChart = createOrgChart(context, { files })
  const mail = createMail(context, {
    settings: current,
    files,
    students: students.mailing,
    tables: {
      read: (file, choices = usualReading) => readTable(file, { choices }),
      guessColumns,
    },
  })
  const auth = createAuth(context, { settings: current, noteRefusal: audit.noteRefusal })
  const { accessOfStored } = auth
  const people = createPeople(context, {
    accounts: auth.accounts,
    readSettings: settings.service.readStored,
  })
  const imports = createImports(context, {
    offer: current,
    region: () => current().office.region,
    createReference,
    accessOfStored,
    lists: { ...terms.lists, ...papers.lists },
  })
  const announcements = createAnnouncements(context, { files, mailHindrance: mail.hindrance })
  const registration = createRegistration(context, { settings: settings.service, welcomes: mail.welcomes })
  const { quotaUse } = registration
  const statistics = createStatistics(context, {
    settings: current,
    countAnnouncements: announcements.service.countActive,
    quotaUse: () => quotaUse.current().all,
  })
  const requests = createRequests(context, {
    settings: current,
    editWithin: students.editWithin,
    readStudent: students.read,
    papersWith: papers.withStudent,
    mail: mail.mailer,
  })
  const privacy = createPrivacy(context, { requests: requests.office })
  const my = createMy(context, { settings: current, fileOf: privacy.fileOf, mail: mail.codes })
  const backups = createBackups(context)
  const counts = createCountWorker(context)

  const api = createRouter()
    .route('/', createHealthRoutes(context.database.check))
    .route('/', createEventRoutes({ ...context, ...auth }))
    .route('/', createScriptErrorRoutes())
    .route('/', auth.routes)
    .route('/', people.routes)
    .route('/', registration.routes)
    .route('/', privacy.routes)
    .route('/', my.routes)
    .route('/', requests.routes)
    .route('/', students.routes)
    .route('/', terms.routes)
    .route('/', createAttendanceRoutes(context, { standings }))
    .route('/', createRollRoutes(context))
    .route('/', certificates.routes)
    .route('/', papers.routes)
    .route('/', statistics.routes)
    .route('/', backups.routes)
    .route('/', audit.routes)
    .route('/', settings.routes)
    .route('/', imports.routes)
    .route('/', createSerialRoutes(context, { addList: imports.addList }))
    .route('/', fileRoutes)
    .route('/', announcements.routes)
    .route('/', slideshow.routes)
    .route('/', orgChart.routes)
    .route('/', mail.routes)
  const { emailService } = mail
  describeApi(api, emailService, { isPublic: context.env.API_DOCS === 'public' })

  return {
    api,
    emailService,
    auth,
    readStudent: my.sessions.read,
    settings: settings.service,
    announcements,
    registrationContext: registration.offer,
    onFull: quotaUse.onFull,
    noteRefusal: audit.noteRefusal,

    async load() {
      await Promise.all([
        settings.service.load(),
        auth.load(),
        mail.load(),
        counts.start(),
        announcements.publications.start(),
      ])
      await quotaUse.load()
      // E-mail needs the account, and the quotas of the settings.
      await mail.start()
    },

    async close() {
      await Promise.all([audit.close(), counts.close(), mail.close(), backups.nightly.close()])
      // A silent database must not delay the end.
      await endWithin(trailHeadMs, audit.logHead())
    },

    async sweep() {
      backups.nightly.wake()
      await audit.logHead()
      await Promise.all([settings.service.rollYears(), imports.resume(), counts.sweep()])
      if (!(await settings.mayCleanUp())) {
        context.log.warn('the date is far from the last clean-up: nothing is deleted until it is confirmed')
        return
      }
      await Promise.all([
        auth.deleteExpired(),
        my.deleteExpired(),
        audit.expire(),
        imports.expire(),
        students.expire(),
        announcements.sweep(),
        files.sweep(),
        mail.expire(),
      ])
    },
  }
}

export type Api = ReturnType<typeof createFeatures>['api']
